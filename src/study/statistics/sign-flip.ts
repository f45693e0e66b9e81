import { generatorFor } from '../../qd/index.ts';

/** A two-sided test that paired differences are as often above zero as below. */
export interface SignFlip {
  readonly p: number;
  /** Whether all 2^n assignments were enumerated; else so many were drawn. */
  readonly assignments: 'all' | number;
}

/** So many values have a million assignments; more are drawn. */
const ENUMERATED_VALUES = 20;
const DRAWN = 100_000;

/**
 * The exact sign-flip test: the share of the 2^n assignments of signs whose |mean| is at least the observed one. Beyond 20 values
 * 100,000 assignments are drawn, and the observed one is counted with them, so that p is never 0.
 *
 * @param differences finite numbers, one a block
 * @throws RangeError when there is none, or one is not finite
 */
export function signFlip(differences: readonly number[], seed = 0): SignFlip {
  if (differences.length === 0 || !differences.every(Number.isFinite)) {
    throw new RangeError(`a sign-flip test needs finite differences, not [${differences.join(', ')}]`);
  }
  const total = differences.reduce((sum, value) => sum + value, 0);
  // Sums in another order differ in the last bits: equal means equal up to those.
  const tolerance = 1e-12 * differences.reduce((sum, value) => sum + Math.abs(value), 0);
  const reached = Math.abs(total) - tolerance;
  const n = differences.length;
  if (n > ENUMERATED_VALUES) return drawn(differences, reached, seed);
  let extreme = 0;
  // A Gray code: from one assignment to the next a single sign changes.
  let sum = total;
  const signs = new Int8Array(n).fill(1);
  for (let step = 0; step < 2 ** n; step += 1) {
    if (step > 0) {
      const flipped = 31 - Math.clz32(step & -step);
      const sign = signs[flipped] ?? 1;
      sum -= 2 * sign * (differences[flipped] ?? 0);
      signs[flipped] = -sign;
    }
    if (Math.abs(sum) >= reached) extreme += 1;
  }
  return { p: extreme / 2 ** n, assignments: 'all' };
}

function drawn(differences: readonly number[], reached: number, seed: number): SignFlip {
  const rng = generatorFor({ seed, island: 0, ordinal: 0, purpose: 'sign-flip' });
  let extreme = 1;
  for (let assignment = 0; assignment < DRAWN; assignment += 1) {
    let bits = 0;
    let sum = 0;
    for (const [index, value] of differences.entries()) {
      if (index % 32 === 0) bits = rng.uint32();
      sum += (bits & 1) === 0 ? value : -value;
      bits >>>= 1;
    }
    if (Math.abs(sum) >= reached) extreme += 1;
  }
  return { p: extreme / (DRAWN + 1), assignments: DRAWN };
}
