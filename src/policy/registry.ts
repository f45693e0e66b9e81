import { independentRoot } from './independent-root.ts';
import type { JobSpec, Policy, PolicyView } from './policy.ts';
import { qualityDiversity } from './quality-diversity.ts';
import { sequentialChampion } from './sequential-champion.ts';

/** Every policy: a new one is a file beside these and a line here. */
export const policies = {
  'quality-diversity': qualityDiversity,
  'sequential-champion': sequentialChampion,
  'independent-root': independentRoot,
} as const satisfies Readonly<Record<string, Policy>>;

export type PolicyName = keyof typeof policies;

/**
 * The next `view.count` jobs of the named policy, or fewer: as many as it may have unsettled at a time beside those in flight.
 */
export function planBatch(view: PolicyView, policy: PolicyName = 'quality-diversity'): JobSpec[] {
  const { atOnce, plan }: Policy = policies[policy];
  const count = Math.max(0, Math.min(view.count, atOnce - (view.inFlight?.length ?? 0)));
  const ordinals = Array.from({ length: count }, (_, index) => view.nextOrdinal + index * (view.stride ?? 1));
  return plan(view, ordinals);
}
