import type { Campaign } from '../config/index.ts';
import { type Faults, LASTING } from './faults.ts';
import type { Streak, Tally } from './tally.ts';

/** What the scheduler looks at before it plans more. */
export interface Standing {
  readonly campaign: Pick<Campaign, 'budget' | 'search'>;
  readonly tally: Tally;
  /** Jobs planned so far that the budget is charged for. */
  readonly planned: number;
  /** Jobs that the schedule lets be planned now. */
  readonly free: number;
  readonly wallMs: number;
  /** The budget of model calls that is used up, or null. */
  readonly exhausted: string | null;
  /** Jobs that were settled when a person let a paused campaign go on: what they add up to is known and forgiven. */
  readonly forgiven: number | null;
}

export type Verdict =
  | { readonly kind: 'plan'; readonly count: number }
  | { readonly kind: 'finish'; readonly cause: string }
  | { readonly kind: 'pause'; readonly cause: string };

/** So many jobs in a row without anything to evaluate, for one reason, pause it: every attempt costs. */
const MAX_WASTED = 16;
/**
 * So many evaluations in a row that refuse for one kind of reason pause it: more likely than so many bad candidates is an evaluator, a
 * compiler or a corpus that broke. Where nine of ten candidates fail the same test, a row of 48 comes once in 157 rows.
 */
const MAX_REFUSED = 48;

/** How many jobs the schedule lets be planned now: a whole batch when nothing is unsettled, or the slots that are free. */
export function freeSlots({ mode, size }: Campaign['search']['schedule'], unsettled: number): number {
  if (mode === 'batch') return unsettled === 0 ? size : 0;
  return Math.max(0, size - unsettled);
}

/** Decides whether to plan more; called when the schedule has room. Pure. */
export function decide(standing: Standing): Verdict {
  const { campaign, planned } = standing;
  const { budget } = campaign;
  const cause = spent(standing);
  if (cause !== null) return { kind: 'finish', cause };
  const trouble = standing.tally.settled === standing.forgiven ? null : futile(standing);
  if (trouble !== null) return { kind: 'pause', cause: trouble };
  return { kind: 'plan', count: Math.min(standing.free, budget.jobs - planned) };
}

/** The budget that is used up, or null. */
function spent({ campaign, tally, planned, wallMs, exhausted }: Standing): string | null {
  const { budget } = campaign;
  if (planned >= budget.jobs) return `budget.jobs: all ${budget.jobs} jobs are done`;
  if (budget.wallMs !== null && wallMs >= budget.wallMs) {
    return `budget.wall: ${Math.round(wallMs / 1000)} s were used`;
  }
  if (budget.noImprovement > 0 && tally.sinceBest >= budget.noImprovement) {
    return `budget.no_improvement: ${tally.sinceBest} jobs without a better candidate`;
  }
  return exhausted;
}

/**
 * Why going on looks futile, or null. Said when the last batch made it so and after every further MAX_WASTED (MAX_REFUSED) jobs: a
 * person who lets the campaign go on is not asked after every batch.
 */
function futile({ campaign, tally }: Standing): string | null {
  const { warmup, schedule } = campaign.search;
  const crossed = (limit: number, value: number): boolean => value >= limit && value - schedule.size < limit;
  const often = (most: number, { length, last }: Streak): boolean =>
    tally.settled - last < schedule.size && crossed(most * Math.max(1, Math.floor(length / most)), length);
  const { streak, refused } = tally;
  if (often(MAX_WASTED, streak)) {
    return `${streak.length} jobs in a row made nothing to evaluate (${streak.cause})`;
  }
  if (often(MAX_REFUSED, refused)) {
    return `${refused.length} candidates in a row were refused for one kind of reason (${refused.cause}): look whether the evaluator still works`;
  }
  if (tally.outcomes.candidate === 0 && crossed(warmup, tally.settled)) {
    const kinds = [...tally.failures].map(([kind, jobs]) => `${kind} × ${jobs}`).join(', ');
    return `none of the first ${tally.settled} jobs was valid (${kinds || 'no change'})`;
  }
  return null;
}

/** Why nothing can go on as things are, or null; looked at while jobs are in flight too. Pure. */
export function brokenMachine(faults: readonly Pick<Faults, 'count' | 'last' | 'misconfigured'>[]): string | null {
  const mistake = faults.find(({ misconfigured }) => misconfigured !== null);
  if (mistake !== undefined) return mistake.misconfigured;
  const broken = faults.find(({ count }) => count >= LASTING);
  return broken === undefined ? null : `the machine failed ${broken.count} times in a row: ${broken.last}`;
}
