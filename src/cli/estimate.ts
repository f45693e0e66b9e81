import type { Campaign } from '../config/index.ts';
import { duration } from './output.ts';

/** What the evaluations of a campaign will take. */
export interface Estimate {
  /** Of candidates, one a job. */
  readonly evaluations: number;
  /** More of them for trials, as far as they can be foreseen. */
  readonly again: number;
  readonly totalMs: number;
}

/**
 * Time for evaluations. Of n candidates in no particular order the k-th is the best so far in one case of k, so about 1 + ½ + … + 1/n
 * of them take the lead: each is measured again, and the leader beside it, in one lane while nothing else is settled.
 */
export function estimateOf({ budget, evaluator }: Campaign, evaluationMs: number): Estimate {
  const leads = Array.from({ length: budget.jobs }, (_, index) => 1 / (index + 1)).reduce(
    (sum, share) => sum + share,
    0,
  );
  const again = evaluator.remeasure.incumbent ? 2 * Math.ceil(leads) : 0;
  const totalMs = (budget.jobs / evaluator.concurrency + again) * evaluationMs;
  return { evaluations: budget.jobs, again, totalMs };
}

export function timeInWords({ evaluator }: Campaign, { evaluations, again, totalMs }: Estimate): string {
  const trials =
    again > 0
      ? ` and about ${again} evaluations of those that would take the lead and of the leader beside them`
      : evaluator.remeasure.jump > 0
        ? ', one more for each jump'
        : '';
  return `about ${duration(totalMs)} of evaluations for ${evaluations} jobs${trials}, and what the agent takes`;
}
