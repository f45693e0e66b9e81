/** Two arms compared block by block: what a study says of them. */
export interface PairedEffect {
  /** ln(a/c) of each block, in the order of the blocks. */
  readonly logRatios: readonly number[];
  /** 100·(exp(mean) − 1): by how many per cent the first arm is above the second. */
  readonly effectPercent: number;
  /** Blocks in which the first arm is above the second. */
  readonly wins: number;
  /** The lowest and the highest effect in per cent when one block is left out; null below three blocks. */
  readonly leaveOneOut: readonly [number, number] | null;
}

/**
 * The paired effect of two arms: d_b = ln(a_b/c_b), effect = 100·(exp(mean d) − 1) (Loreley, arXiv:2608.19703).
 *
 * @param first a ratio over the root for each block, positive; `second` the same blocks in the same order
 * @throws RangeError when the blocks differ in number, there is none, or a ratio is not a positive finite number
 */
export function pairedEffect(first: readonly number[], second: readonly number[]): PairedEffect {
  if (first.length !== second.length)
    throw new RangeError(`${first.length} blocks cannot be paired with ${second.length}`);
  const logRatios = first.map((ratio, block) => Math.log(positive(ratio)) - Math.log(positive(second[block])));
  return {
    logRatios,
    effectPercent: percent(mean(logRatios)),
    wins: logRatios.filter((value) => value > 0).length,
    leaveOneOut: leaveOneOut(logRatios),
  };
}

/** A mean log ratio as a change in per cent. */
export function percent(meanLog: number): number {
  return 100 * Math.expm1(meanLog);
}

/** @throws RangeError when there is nothing to take the mean of. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('the mean of nothing was asked for');
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The means without one value each, in the order of the values. */
export function leftOutMeans(values: readonly number[]): number[] {
  return values.map((_, out) => mean(values.toSpliced(out, 1)));
}

function leaveOneOut(logRatios: readonly number[]): readonly [number, number] | null {
  if (logRatios.length < 3) return null;
  const effects = leftOutMeans(logRatios).map(percent);
  return [Math.min(...effects), Math.max(...effects)];
}

function positive(ratio: number | undefined): number {
  if (ratio !== undefined && Number.isFinite(ratio) && ratio > 0) return ratio;
  throw new RangeError(`a ratio over the root must be a positive finite number, not ${ratio}`);
}
