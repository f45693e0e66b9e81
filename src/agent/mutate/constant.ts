import type { Rng } from '../../qd/index.ts';

/** A numeric literal taken apart, so that it can be written again in the same style. */
export interface Constant {
  readonly value: number;
  readonly float: boolean;
  /** `0x`, `0b`, `0o` or empty. */
  readonly prefix: string;
  /** The type: `u32`, `UL`, `f`, `n`, or empty. */
  readonly suffix: string;
}

const RADIX: Readonly<Record<string, number>> = { '0x': 16, '0b': 2, '0o': 8 };
const PREFIXED = /^(-?)\s*(0[xXbBoO])([0-9a-fA-F_']+?)((?:_?[iu](?:8|16|32|64|128|size))|[uUlLn]*)$/;
const DECIMAL = /^(-?)\s*((?:\d[\d_']*)?(\.)?(?:\d[\d_']*)?([eE][-+]?\d+)?)(_?[fiu]\d+|_?[iu]size|[a-zA-Z]*)$/;

/** Reads a literal of any of our languages; null when it is of a kind that is better left alone (octal, complex, hex floats). */
export function parseConstant(literal: string): Constant | null {
  const prefixed = PREFIXED.exec(literal);
  if (prefixed !== null) {
    const [, sign, prefix = '', digits = '', suffix = ''] = prefixed;
    const magnitude = Number.parseInt(digits.replace(/[_']/g, ''), RADIX[prefix.toLowerCase()] ?? 10);
    return whole(sign === '-' ? -magnitude : magnitude, prefix, suffix);
  }
  const decimal = DECIMAL.exec(literal);
  if (decimal === null) return null;
  const [, sign, body = '', point, exponent, suffix = ''] = decimal;
  if (!/\d/.test(body) || /^[jJ]$/.test(suffix)) return null;
  if (/^0\d/.test(body) && point === undefined && exponent === undefined) return null;
  const magnitude = Number(body.replace(/[_']/g, ''));
  const value = sign === '-' ? -magnitude : magnitude;
  const float = point !== undefined || exponent !== undefined || /^_?f|^[fFdD]$/.test(suffix);
  return float ? { value, float, prefix: '', suffix } : whole(value, '', suffix);
}

/** Above 2^53 the value would be rounded on the way. */
function whole(value: number, prefix: string, suffix: string): Constant | null {
  return Number.isSafeInteger(value) ? { value, float: false, prefix, suffix } : null;
}

/** Writes a constant. Floats get as few digits as tell them from `before`, at least four, and stay floats to a compiler. */
export function formatConstant(constant: Constant, before: number): string {
  const { value, float, prefix, suffix } = constant;
  if (!float) {
    const digits = Math.abs(value).toString(RADIX[prefix.toLowerCase()] ?? 10);
    return `${value < 0 ? '-' : ''}${prefix}${digits}${suffix}`;
  }
  let text = String(value);
  for (const digits of [4, 6, 9, 12]) {
    const short = Number(value.toPrecision(digits));
    if (short !== before) {
      text = String(short);
      break;
    }
  }
  return (/[.e]/.test(text) ? text : `${text}.0`) + suffix;
}

/** Another value by a factor, or one on the other side of zero. */
export function byFactor(constant: Constant, rng: Rng): Constant {
  const { value, float } = constant;
  if (rng.below(12) === 0) return { ...constant, value: -value };
  if (value === 0) return { ...constant, value: float ? rng.pick([0.01, 0.1, 0.5, 1]) : rng.pick([1, 2, -1]) };
  const scaled = value * rng.pick([0.5, 2, 0.9, 1.1, 0.75, 1.5, 0.1, 10]);
  return { ...constant, value: float ? scaled : away(value, Math.round(scaled)) };
}

/** Another value close by: a small Gaussian step relative to a float's size; ±1, ±2 or up to ±10 % for an integer. */
export function byNeighbour(constant: Constant, rng: Rng): Constant {
  const { value, float } = constant;
  if (float) {
    const spread = rng.pick([0.002, 0.02, 0.1]);
    const scale = value === 0 ? 1 : Math.abs(value);
    return { ...constant, value: value + gaussian(rng) * spread * scale };
  }
  const step = rng.below(3) === 0 ? 1 + rng.below(Math.max(2, Math.round(Math.abs(value) * 0.1))) : 1;
  return { ...constant, value: rng.below(2) === 0 ? value + step : value - step };
}

function away(from: number, to: number): number {
  return to === from ? from + 1 : to;
}

/**
 * A standard normal variate but for its tails, which end at ±3.46: the sum of four uniform ones. Box–Muller would need a
 * logarithm and a cosine, whose last bits differ between machines.
 */
function gaussian(rng: Rng): number {
  return (rng.unit() + rng.unit() + rng.unit() + rng.unit() - 2) * 1.7320508075688772;
}
