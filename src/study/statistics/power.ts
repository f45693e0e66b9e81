import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { generatorFor, type Rng } from '../../qd/index.ts';
import { percent } from './paired.ts';

/** The test of a study as it will be made. */
export interface Design {
  /** Pairs. */
  readonly blocks: number;
  /** Of the paired log ratios between blocks, the standard deviation that is expected. */
  readonly deviation: number;
  /** The level of the whole family; default 0.05. */
  readonly alpha?: number;
  /** Comparisons that share the level; a single one must pass the first step of Holm, alpha/family. Default 1. */
  readonly family?: number;
}

export interface Forecast {
  /** The smallest true effect in per cent that is found with the power asked for; null when no effect can be, with so few blocks. */
  readonly smallestEffectPercent: number | null;
  /** The smallest p-value that these blocks can give, 2^(1 − blocks). */
  readonly smallestP: number;
}

const SIMULATIONS = 1_000;
/** With so many values all assignments of signs are looked at; with more, a sample. */
const ENUMERATED_VALUES = 10;
const DRAWN = 999;
/** In standard deviations; beyond this every design that can find anything finds it. */
const LARGEST = 64;
const MOST_BLOCKS = 200;

/**
 * What a paired study with the exact sign-flip test can find, by simulation of normal differences: the smallest true effect that the
 * test finds in a share `power` of the studies. The same random numbers serve all effects, so that the answer repeats.
 *
 * @throws RangeError when the design is none
 */
export function forecast(design: Design, power = 0.8): Forecast {
  checked(design);
  const smallestP = 2 ** (1 - design.blocks);
  if (smallestP > level(design)) return { smallestEffectPercent: null, smallestP };
  const find = simulate(design.blocks, level(design));
  let [low, high] = [0, 1];
  while (find(high) < power && high < LARGEST) [low, high] = [high, high * 2];
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    if (find(middle) < power) low = middle;
    else high = middle;
  }
  return { smallestEffectPercent: percent(high * design.deviation), smallestP };
}

/** The share of studies that find a true effect, in per cent over the other arm. */
export function powerOf(design: Design, effectPercent: number): number {
  checked(design);
  if (2 ** (1 - design.blocks) > level(design)) return 0;
  return simulate(design.blocks, level(design))(Math.log1p(effectPercent / 100) / design.deviation);
}

/** How many blocks find a true effect with that power; null when more than 200 would be needed. */
export function blocksFor(design: Omit<Design, 'blocks'>, effectPercent: number, power = 0.8): number | null {
  const enough = (blocks: number): boolean => powerOf({ ...design, blocks }, effectPercent) >= power;
  let [low, high] = [1, 2];
  while (!enough(high)) {
    if (high >= MOST_BLOCKS) return null;
    [low, high] = [high, Math.min(high * 2, MOST_BLOCKS)];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function level({ alpha = 0.05, family = 1 }: Pick<Design, 'alpha' | 'family'>): number {
  return alpha / family;
}

function checked({ blocks, deviation }: Design): void {
  if (!(Number.isInteger(blocks) && blocks >= 1))
    throw new RangeError(`blocks must be a positive whole number, not ${blocks}`);
  if (!(Number.isFinite(deviation) && deviation > 0))
    throw new RangeError(`a deviation must be positive, not ${deviation}`);
}

/** The power by effect in standard deviations, for fixed noise. */
function simulate(blocks: number, alpha: number): (effect: number) => number {
  const rng = generatorFor({ seed: 0, island: 0, ordinal: blocks, purpose: 'power' });
  const signs = assignments(blocks, rng);
  const noise = Array.from({ length: SIMULATIONS }, () =>
    Array.from({ length: blocks }, () => quantile((rng.below(2 ** 32) + 0.5) / 2 ** 32, 0, 1)),
  );
  return (effect) =>
    noise.filter((values) => {
      const differences = values.map((value) => value + effect);
      const reached = Math.abs(sum(differences)) - 1e-9;
      // More extreme ones than this and the p-value is above alpha: no need to look on.
      const allowed = Math.floor(alpha * signs.length + 1e-9);
      let extreme = 0;
      for (const assignment of signs) {
        if (Math.abs(signed(differences, assignment)) < reached) continue;
        extreme += 1;
        if (extreme > allowed) return false;
      }
      return true;
    }).length / SIMULATIONS;
}

/** All 2^n assignments of signs, or the one that was observed and 999 drawn ones. */
function assignments(blocks: number, rng: Rng): Int8Array[] {
  if (blocks <= ENUMERATED_VALUES) {
    return Array.from({ length: 2 ** blocks }, (_, bits) =>
      Int8Array.from({ length: blocks }, (_, index) => ((bits >> index) & 1 ? -1 : 1)),
    );
  }
  const drawn = Array.from({ length: DRAWN }, () => Int8Array.from({ length: blocks }, () => (rng.below(2) ? -1 : 1)));
  return [new Int8Array(blocks).fill(1), ...drawn];
}

function signed(values: readonly number[], signs: Int8Array): number {
  return values.reduce((total, value, index) => total + value * (signs[index] ?? 1), 0);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
