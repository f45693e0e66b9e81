import type { CoderOutcome } from './outcome.ts';

/**
 * What is believed of the coders: the discounted sums of an upper-confidence rule for a world that changes
 * [D-UCB: Garivier, Moulines 2011; AGAR, arXiv:2610.09215, M3]. A fold of the settled jobs in their order: it is read back from the ledger.
 */
export interface Belief {
  readonly arms: Map<string, { pulls: number; reward: number; jobs: number }>;
  /** The latest outcomes, the oldest first: what improvements and costs are compared with. */
  readonly window: CoderOutcome[];
}

/** What a pull counts after one more. Of 30 jobs the first counts 0.4: coders and what is left to find change as a search goes on. */
const DISCOUNT = 0.97;
/** Outcomes that improvements and costs are ranked among. */
const WINDOW = 64;
/** Costs below this share of the mean earn nothing more: a coder that costs nothing would always win. */
const CHEAPEST = 0.25;

export function createBelief(): Belief {
  return { arms: new Map(), window: [] };
}

/**
 * Counts a settled job. Its reward, in [0, 1], is how good its improvement is among those of late, for what it cost:
 * the share of improvements in the window that are no better, times `CHEAPEST` · mean cost / its cost (at most 1). Ranks and ratios, so that
 * neither the unit of the objective nor that of money matters, and one lucky jump does not outweigh everything.
 */
export function learn({ arms, window }: Belief, outcome: CoderOutcome): void {
  window.push(outcome);
  if (window.length > WINDOW) window.shift();
  for (const arm of arms.values()) {
    arm.pulls *= DISCOUNT;
    arm.reward *= DISCOUNT;
  }
  const arm = arms.get(outcome.coder) ?? { pulls: 0, reward: 0, jobs: 0 };
  arm.pulls += 1;
  arm.reward += quality(window, outcome) * thrift(window, outcome);
  arm.jobs += 1;
  arms.set(outcome.coder, arm);
}

/** In [0, 1]; 0 without an improvement. */
function quality(window: readonly CoderOutcome[], { improvement }: CoderOutcome): number {
  if (!(improvement > 0)) return 0;
  const better = window.filter((other) => other.improvement > 0);
  return better.filter((other) => other.improvement <= improvement).length / better.length;
}

/** In (0, 1]: 1 for the cheapest, `CHEAPEST` for a job of mean cost. */
function thrift(window: readonly CoderOutcome[], outcome: CoderOutcome): number {
  const cost = unitOf(window);
  const mean = window.reduce((sum, other) => sum + cost(other), 0) / window.length;
  return mean === 0 ? CHEAPEST : Math.min(1, (CHEAPEST * mean) / Math.max(cost(outcome), CHEAPEST * mean));
}

/** Money where all of it is known, else tokens. Not time: it differs from run to run. */
function unitOf(window: readonly CoderOutcome[]): (outcome: CoderOutcome) => number {
  const priced = window.every(({ costUsd }) => costUsd !== null);
  return priced ? ({ costUsd }) => costUsd ?? 0 : ({ tokens }) => tokens;
}
