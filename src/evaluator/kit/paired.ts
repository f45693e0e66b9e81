import { type Comparison, compare } from './compare.ts';

export type Order = 'root-first' | 'candidate-first';

export interface PairedPlan {
  /** Rounds that are measured in any case. */
  readonly rounds?: number;
  /** Rounds at most, when the first are not precise enough. */
  readonly maxRounds?: number;
  /** Log ratios left out at each end. */
  readonly trim?: number;
  /** The largest standard error of the logarithm that needs no more rounds; null: no gate, `rounds` rounds. */
  readonly precision?: number | null;
  /** Rounds before the first, measured in the same way and thrown away. */
  readonly warmup?: number;
}

export interface PairedOptions extends PairedPlan {
  /**
   * Measures both versions once, in the given order, and gives their durations in one unit, whichever. Rounds count from 0; those
   * of the warm-up are negative.
   */
  readonly measure: (round: number, order: Order) => Promise<{ readonly root: number; readonly candidate: number }>;
}

export interface Paired extends Comparison {
  /** One a round, in the order of the rounds. */
  readonly logRatios: readonly number[];
}

/**
 * A paired measurement (formulas §7): root and candidate alternate who is first from round to round, so that drift of the machine
 * hits both alike; twelve rounds after the warm-up, up to sixteen only while the precision gate fails.
 *
 * @throws RangeError when a duration is not a number above 0, or the plan leaves no round after trimming
 */
export async function measurePaired(options: PairedOptions): Promise<Paired> {
  const { rounds = 12, trim = 3, precision = null, warmup = 1, measure } = options;
  const maxRounds = Math.max(rounds, options.maxRounds ?? 16);
  if (rounds - 2 * trim < 2) throw new RangeError(`${rounds} rounds are too few to trim ${trim} at each end`);
  for (let round = -warmup; round < 0; round += 1) await measure(round, orderOf(round));

  const logRatios: number[] = [];
  const next = async (): Promise<void> => {
    const round = logRatios.length;
    const { root, candidate } = await measure(round, orderOf(round));
    logRatios.push(Math.log(duration(root, 'root', round) / duration(candidate, 'candidate', round)));
  };
  while (logRatios.length < rounds) await next();
  let comparison = compare(logRatios, trim);
  while (precision !== null && comparison.standardError > precision && logRatios.length < maxRounds) {
    await next();
    comparison = compare(logRatios, trim);
  }
  return { ...comparison, logRatios };
}

function orderOf(round: number): Order {
  return round % 2 === 0 ? 'root-first' : 'candidate-first';
}

function duration(value: number, whose: string, round: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`round ${round}: the duration of the ${whose} is ${value}, not a number above 0`);
}
