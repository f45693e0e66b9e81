import type { Campaign } from '../config/index.ts';
import type { Tally } from './tally.ts';

/** What the scheduler looks at before it plans more. */
export interface Standing {
  readonly campaign: Pick<Campaign, 'budget' | 'search'>;
  readonly tally: Tally;
  /** Jobs planned so far, the root not counted. */
  readonly planned: number;
  readonly wallMs: number;
}

export type Verdict =
  | { readonly kind: 'plan'; readonly count: number }
  | { readonly kind: 'finish'; readonly cause: string }
  | { readonly kind: 'pause'; readonly cause: string };

/** So many faults of the machine in a row pause a campaign: trying on would only burn time. */
const MAX_FAULTS = 3;
/** So many jobs in a row without anything to evaluate, for one reason, pause it: every attempt costs. */
const MAX_WASTED = 16;

/** Decides whether to plan the next batch; called when everything planned is settled. Pure. */
export function decide({ campaign, tally, planned, wallMs }: Standing): Verdict {
  const { budget, search } = campaign;
  if (planned >= budget.jobs) return { kind: 'finish', cause: `budget.jobs: all ${budget.jobs} jobs are done` };
  if (budget.wallMs !== null && wallMs >= budget.wallMs) {
    return { kind: 'finish', cause: `budget.wall: ${Math.round(wallMs / 1000)} s were used` };
  }
  if (budget.noImprovement > 0 && tally.sinceBest >= budget.noImprovement) {
    return { kind: 'finish', cause: `budget.no_improvement: ${tally.sinceBest} jobs without a better candidate` };
  }
  if (tally.streak.length >= MAX_WASTED && tally.streak.length % MAX_WASTED < search.schedule.size) {
    const { length, cause } = tally.streak;
    return { kind: 'pause', cause: `${length} jobs in a row made nothing to evaluate (${cause})` };
  }
  if (tally.settled >= search.warmup && planned === tally.settled && tally.outcomes.candidate === 0) {
    if (tally.settled < search.warmup + search.schedule.size) {
      const kinds = [...tally.failures].map(([kind, jobs]) => `${kind} × ${jobs}`).join(', ');
      return { kind: 'pause', cause: `none of the first ${tally.settled} jobs was valid (${kinds || 'no change'})` };
    }
  }
  return { kind: 'plan', count: Math.min(search.schedule.size, budget.jobs - planned) };
}

/** Why the machine is in no state to go on, or null; looked at while jobs are in flight too. Pure. */
export function brokenMachine(faults: { readonly count: number; readonly last: string }): string | null {
  return faults.count < MAX_FAULTS ? null : `the machine failed ${faults.count} times in a row: ${faults.last}`;
}
