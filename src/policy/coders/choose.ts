import { generatorFor } from '../../qd/index.ts';
import type { Belief } from './belief.ts';
import type { Arm } from './outcome.ts';

/** Why a coder was asked; plain JSON, kept with the event of the planning. */
export type CoderReason =
  | { readonly rule: 'only' }
  /** It had the job before, which is tried again. */
  | { readonly rule: 'again' }
  | { readonly rule: 'weights'; readonly share: number }
  | { readonly rule: 'untried'; readonly asked: number }
  /** `mean` reward for a pull and what not knowing it better adds; both of the chosen one. */
  | { readonly rule: 'bandit'; readonly mean: number; readonly bonus: number };

export interface CoderChoice {
  readonly coder: string;
  readonly reason: CoderReason;
}

export interface CoderView {
  /** At least one. */
  readonly arms: readonly Arm[];
  readonly choose: 'weights' | 'bandit';
  readonly belief: Belief;
  readonly seed: number;
  /** The coders of the jobs that are planned and not settled. */
  readonly inFlight: readonly string[];
}

/** Times that each is asked before the rule decides. */
const TRIES = 2;
/** How much not knowing weighs. Rewards are mostly below 0.25, see `learn`. */
const CURIOSITY = 0.15;

/** Chooses a coder for each of the jobs that are planned at once, by ordinal. Pure. */
export function chooseCoders(
  view: CoderView,
  jobs: readonly { readonly ordinal: number; readonly island: number }[],
): CoderChoice[] {
  const asked = new Map<string, number>();
  for (const coder of view.inFlight) asked.set(coder, (asked.get(coder) ?? 0) + 1);
  return jobs.map((job) => {
    const choice = chooseOne(view, asked, job);
    asked.set(choice.coder, (asked.get(choice.coder) ?? 0) + 1);
    return choice;
  });
}

function chooseOne(
  { arms, choose, belief, seed }: CoderView,
  asked: ReadonlyMap<string, number>,
  { ordinal, island }: { readonly ordinal: number; readonly island: number },
): CoderChoice {
  const [only, ...others] = arms;
  if (only === undefined) throw new RangeError('there is no coder to choose from');
  if (others.length === 0) return { coder: only.name, reason: { rule: 'only' } };
  if (choose === 'weights') return byWeight(arms, generatorFor({ seed, island, ordinal, purpose: 'coder' }).unit());
  return byBelief(arms, belief, asked);
}

/** @param point in [0, 1) */
function byWeight(arms: readonly Arm[], point: number): CoderChoice {
  const sorted = inOrder(arms);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  const chosen = sorted.find(({ weight }) => {
    sum += weight;
    return point * total < sum;
  });
  if (chosen === undefined) throw new RangeError('there is no coder to choose from');
  return { coder: chosen.name, reason: { rule: 'weights', share: chosen.weight / total } };
}

/**
 * argmax s/n + c·√(ln(N + 1)/n) over discounted sums; a coder that was asked less than `TRIES` times goes first. Jobs that are still under way
 * count as pulls in the bonus alone: nothing is known of what they bring.
 */
function byBelief(arms: readonly Arm[], belief: Belief, asked: ReadonlyMap<string, number>): CoderChoice {
  const known = inOrder(arms).map(({ name }) => {
    const { pulls, reward, jobs } = belief.arms.get(name) ?? { pulls: 0, reward: 0, jobs: 0 };
    const open = asked.get(name) ?? 0;
    return { name, mean: pulls === 0 ? 0 : reward / pulls, pulls: pulls + open, jobs: jobs + open };
  });
  const least = known.reduce((a, b) => (b.jobs < a.jobs ? b : a));
  if (least.jobs < TRIES) return { coder: least.name, reason: { rule: 'untried', asked: least.jobs } };
  const total = known.reduce((sum, { pulls }) => sum + pulls, 0);
  const rated = known.map((arm) => ({ ...arm, bonus: CURIOSITY * Math.sqrt(Math.log(total + 1) / arm.pulls) }));
  const best = rated.reduce((a, b) => (b.mean + b.bonus > a.mean + a.bonus ? b : a));
  return { coder: best.name, reason: { rule: 'bandit', mean: best.mean, bonus: best.bonus } };
}

/** The heavier first, then by name: the order in the file does not matter. */
function inOrder(arms: readonly Arm[]): Arm[] {
  return arms.toSorted((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
}
