import type { DecidedTrial, Intervals, Numbers, TrialMeasurement } from '../../store/index.ts';

/** What a measurement gives to rank by, raw numbers by name. */
export interface Measure {
  readonly scores: Numbers;
  readonly intervals: Intervals;
}

/** What a candidate ranks by now. */
export interface Standing extends Measure {
  /** It failed when it was measured again after it was settled: its numbers are those of its first measurement and count no more. */
  readonly withdrawn?: boolean;
}

/**
 * The mean of measurements, end by end for the intervals that all of them have. It is wider than the interval of the mean would be,
 * and asks for no assumption on what the ends are.
 */
export function meanOf(measures: readonly [Measure, ...Measure[]]): Standing {
  const [first] = measures;
  const scores = Object.keys(first.scores).map((name) => [name, mean(measures.map((one) => one.scores[name] ?? NaN))]);
  const shared = Object.keys(first.intervals).filter((name) => measures.every((one) => name in one.intervals));
  const ends = (name: string, end: 0 | 1): number => mean(measures.map((one) => one.intervals[name]?.[end] ?? NaN));
  const intervals = shared.map((name) => [name, [ends(name, 0), ends(name, 1)] as const]);
  return { scores: Object.fromEntries(scores), intervals: Object.fromEntries(intervals) };
}

/** From the first number on, so that equal numbers have exactly themselves as their mean. */
function mean([first = NaN, ...others]: readonly number[]): number {
  return first + others.reduce((sum, value) => sum + (value - first), 0) / (others.length + 1);
}

/**
 * The fresh measurements of a candidate: those that nothing was chosen by. The root's first is one of them; another's first made it a
 * challenger, and of many numbers that could do so the luckiest did.
 */
export function freshOf(
  ordinal: number,
  trials: readonly { readonly measurements: readonly TrialMeasurement[] | null }[],
  root: Measure | undefined,
): Measure[] {
  const measured = trials
    .flatMap(({ measurements }) => measurements ?? [])
    .flatMap((one) => (one.ordinal === ordinal && one.status === 'valid' ? [one] : []));
  return ordinal === 0 && root !== undefined ? [root, ...measured] : measured;
}

/** The trials whose verdicts were known when so many jobs were settled: those of challengers that settled with them count from then on. */
export function inForce(trials: readonly DecidedTrial[], settled: number): DecidedTrial[] {
  return trials.filter((trial) => (trial.retrial ? trial.settled <= settled : trial.settled < settled));
}

/** By ordinal, what trials changed; `withdrawn` is who failed in one after it was settled. Everybody else stands as first measured. */
export function standingsOf(
  trials: readonly DecidedTrial[],
  root: Measure | undefined,
): Map<number, Standing | 'withdrawn'> {
  const standings = new Map<number, Standing | 'withdrawn'>();
  for (const { challenger, incumbent, retrial, challengerScores } of trials) {
    if (retrial && challengerScores === null) standings.set(challenger, 'withdrawn');
    for (const ordinal of [challenger, incumbent]) {
      const [first, ...others] = ordinal === null ? [] : freshOf(ordinal, trials, root);
      if (ordinal !== null && first !== undefined) standings.set(ordinal, meanOf([first, ...others]));
    }
  }
  return standings;
}

/** A change of what a settled candidate ranks by; null: it ranks no more. */
export interface Change {
  readonly ordinal: number;
  readonly scores: Numbers | null;
}

type Ruled = Pick<DecidedTrial, 'challenger' | 'incumbent' | 'retrial' | 'challengerScores' | 'incumbentScores'>;

/** What a trial changed of candidates that were settled before it, in the order in which it is counted. */
export function changesOf({ challenger, incumbent, retrial, challengerScores, incumbentScores }: Ruled): Change[] {
  const leader =
    incumbent === null || incumbentScores === null ? [] : [{ ordinal: incumbent, scores: incumbentScores }];
  return retrial ? [...leader, { ordinal: challenger, scores: challengerScores }] : leader;
}
