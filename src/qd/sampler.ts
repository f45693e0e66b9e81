import type { Archive } from './archive.ts';
import type { Rng } from './rng.ts';

/** `campaign.search.inspirations` satisfies this. */
export interface SamplerSettings {
  /** Inspirations wanted. */
  readonly count: number;
  /** Chebyshev radius around the base's cell to start with, and to grow to. */
  readonly radius: number;
  readonly maxRadius: number;
  /** At most this many come from farther away. */
  readonly fallback: number;
}

/** What to avoid. */
export interface Usage {
  /** Bases used in this batch. */
  readonly bases: ReadonlySet<number>;
  /** Keys of the recipes used in this batch or in the last `cooldown` jobs. */
  readonly recipes: ReadonlySet<string>;
}

export interface Recipe {
  readonly base: number;
  /** In the order drawn, the nearest first; fewer than wanted when the archive has no more. */
  readonly inspirations: readonly number[];
  readonly cell: number;
  readonly baseReused: boolean;
  readonly recipeReused: boolean;
  /** Draws beyond the first. */
  readonly resamples: number;
  /** Chebyshev radius reached. */
  readonly radius: number;
  /** How many inspirations came from beyond `maxRadius`. */
  readonly fallback: number;
}

/** Equal for equal sets of inspirations: `base:sorted,inspirations`. */
export function recipeKey(base: number, inspirations: readonly number[]): string {
  return `${base}:${[...inspirations].sort((a, b) => a - b).join(',')}`;
}

/** @throws RangeError when the archive is empty. */
export function sampleRecipe(_archive: Archive, _usage: Usage, _settings: SamplerSettings, _rng: Rng): Recipe {
  throw new Error('to be written');
}
