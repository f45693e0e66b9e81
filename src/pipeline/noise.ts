import type { Criterion } from '../config/index.ts';
import type { ValidEvaluation } from '../evaluator/index.ts';

/** What measurements of one and the same commit say about the noise of one objective. */
export interface Noise {
  readonly objective: string;
  /** What was measured, a number for each round. */
  readonly values: readonly number[];
  /** Standard deviation of the values; 0 when they are all the same. */
  readonly deviation: number;
  /** Mean half-width of the intervals that the evaluator gave, which it calls 95 % intervals; null without any. */
  readonly halfWidth: number | null;
  /** How far apart two measurements of equal candidates may be by chance, in 95 of 100 cases: the least ε that means something. */
  readonly floor: number;
  readonly epsilon: number;
  /** Whether a difference of ε is more than chance. */
  readonly sensible: boolean;
  /** The least sensible ε, rounded up to two digits. */
  readonly supported: number;
}

/**
 * The noise floor of each objective: the 95 % half-width of the difference of two measurements, t·√2·s with s from the given ones and
 * Student's t for n − 1 degrees of freedom, or √2 times the half-width of the evaluator's own intervals, whichever is more. A few
 * rounds on a quiet afternoon say less than the rounds within each of them do, and the other way round.
 *
 * An evaluator that pairs calls the root 1 by definition and tells in metrics what it measured (`pairedResult` of
 * `clade/evaluator`): `<name>_ratio`, `_lower`, `_upper`. Where they are in all measurements they are looked at instead. Pure.
 * @throws RangeError with fewer than two measurements, which have no spread
 */
export function noiseOf(declared: readonly Criterion[], measured: readonly ValidEvaluation[]): Noise[] {
  if (measured.length < 2) throw new RangeError(`noise needs at least 2 measurements, got ${measured.length}`);
  return declared.map(({ name, epsilon }) => {
    const values = valuesOf(name, measured);
    const widths = widthsOf(name, measured);
    const halfWidth = widths.length === 0 ? null : mean(widths);
    const deviation = deviationOf(values);
    const spread = studentQuantile(values.length - 1) * Math.SQRT2 * deviation;
    const floor = Math.max(spread, Math.SQRT2 * (halfWidth ?? 0));
    const supported = roundUp(floor);
    return { objective: name, values, deviation, halfWidth, floor, epsilon, sensible: epsilon >= floor, supported };
  });
}

function valuesOf(name: string, measured: readonly ValidEvaluation[]): number[] {
  const paired = measured.flatMap(({ metrics }) => metrics[`${name}_ratio`] ?? []);
  return paired.length === measured.length ? paired : measured.map(({ objectives }) => objectives[name] ?? Number.NaN);
}

function widthsOf(name: string, measured: readonly ValidEvaluation[]): number[] {
  const paired = measured.flatMap(({ metrics }) => {
    const [low, high] = [metrics[`${name}_lower`], metrics[`${name}_upper`]];
    return low === undefined || high === undefined ? [] : [(high - low) / 2];
  });
  if (paired.length === measured.length) return paired;
  return measured.flatMap(({ intervals }) => {
    const interval = intervals[name];
    return interval === undefined ? [] : [(interval[1] - interval[0]) / 2];
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** With n − 1. Exactly 0 for equal values, whose mean need not be exactly theirs. */
function deviationOf(values: readonly number[]): number {
  if (values.every((value) => value === values[0])) return 0;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/** 97.5 % quantiles of Student's t for 1 … 10 degrees of freedom. */
const QUANTILES = [12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814];
const NORMAL = 1.959964;

/**
 * The 97.5 % quantile of Student's t; beyond the table by Fisher's expansion in 1/degrees [Abramowitz, Stegun 1964, 26.7.5], right to
 * four digits there.
 */
export function studentQuantile(degrees: number): number {
  const known = QUANTILES[degrees - 1];
  if (known !== undefined) return known;
  const z = NORMAL;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}

/** To two significant digits, never below the value. */
function roundUp(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log10(value)) - 1;
  const step = 10 ** Math.abs(exponent);
  // Division and multiplication by a power of ten that is a whole number keep decimals as people write them.
  return exponent < 0 ? Math.ceil(value * step) / step : Math.ceil(value / step) * step;
}
