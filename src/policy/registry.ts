import type { JobSpec, Policy, PolicyView } from './policy.ts';
import { qualityDiversity } from './quality-diversity.ts';

export const policies = {
  'quality-diversity': qualityDiversity,
} as const satisfies Readonly<Record<string, Policy>>;

export type PolicyName = keyof typeof policies;

/** The next `view.count` jobs of the named policy. */
export function planBatch(view: PolicyView, policy: PolicyName = 'quality-diversity'): JobSpec[] {
  return policies[policy].planBatch(view);
}
