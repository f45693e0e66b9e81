import { type Archive, occupiedCells } from './archive.ts';
import { cellDistance } from './grid.ts';
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

const MAX_RESAMPLES = 32;

/**
 * Draws base and inspirations for one job [Loreley, arXiv:2608.19703]. The base: an occupied cell, then a member of its
 * front, both uniformly. A used base or recipe is drawn again, at most 32 times; then the draw that repeats least is
 * accepted and marked, so that a small archive still gives jobs.
 * @throws RangeError when the archive is empty.
 */
export function sampleRecipe(archive: Archive, usage: Usage, settings: SamplerSettings, rng: Rng): Recipe {
  const cells = occupiedCells(archive);
  let best = drawRecipe(archive, cells, usage, settings, rng);
  let resamples = 0;
  while (repeats(best) > 0 && resamples < MAX_RESAMPLES) {
    const next = drawRecipe(archive, cells, usage, settings, rng);
    resamples++;
    if (repeats(next) < repeats(best)) best = next;
  }
  return { ...best, resamples };
}

type Draw = Omit<Recipe, 'resamples'>;

/** A repeated recipe is worse than a repeated base: it asks an agent the same question twice. */
function repeats({ baseReused, recipeReused }: Draw): number {
  return (recipeReused ? 2 : 0) + (baseReused ? 1 : 0);
}

function drawRecipe(archive: Archive, cells: number[], usage: Usage, settings: SamplerSettings, rng: Rng): Draw {
  const cell = rng.pick(cells);
  const base = rng.pick(archive.fronts.get(cell) ?? []).ordinal;
  const drawn = drawInspirations(poolAround(archive, cells, cell, base), settings, rng);
  return {
    base,
    cell,
    ...drawn,
    baseReused: usage.bases.has(base),
    recipeReused: usage.recipes.has(recipeKey(base, drawn.inspirations)),
  };
}

/** What inspirations are drawn from: all retained candidates but the base, by cell. */
interface Pool {
  /** Ascending, with the Chebyshev distance of each from the base's cell. */
  readonly cells: readonly { readonly cell: number; readonly distance: number }[];
  left(cell: number): number;
  /** Removes the member at `index` of what is left. */
  take(cell: number, index: number): number;
}

function poolAround({ fronts, grid }: Archive, cells: readonly number[], center: number, base: number): Pool {
  // Most cells are never drawn from: their ordinals are listed only when they are.
  const listed = new Map<number, number[]>();
  const list = (cell: number): number[] => {
    const known = listed.get(cell);
    if (known !== undefined) return known;
    const members = (fronts.get(cell) ?? []).map(({ ordinal }) => ordinal).filter((ordinal) => ordinal !== base);
    listed.set(cell, members);
    return members;
  };
  list(center);
  return {
    cells: cells.map((cell) => ({ cell, distance: cellDistance(center, cell, grid) })),
    left: (cell) => listed.get(cell)?.length ?? fronts.get(cell)?.length ?? 0,
    take: (cell, index) => list(cell).splice(index, 1)[0] ?? Number.NaN,
  };
}

function drawInspirations(pool: Pool, settings: SamplerSettings, rng: Rng) {
  const inspirations: number[] = [];
  let { radius } = settings;
  const drawWithin = (reach: number, wanted: number): void => {
    for (let left = wanted; left > 0; left--) {
      const open = pool.cells.filter(({ cell, distance }) => distance <= reach && pool.left(cell) > 0);
      if (open.length === 0) return;
      const { cell } = rng.pick(open);
      inspirations.push(pool.take(cell, rng.below(pool.left(cell))));
    }
  };
  drawWithin(radius, settings.count);
  while (inspirations.length < settings.count && radius < settings.maxRadius) {
    radius++;
    drawWithin(radius, settings.count - inspirations.length);
  }
  const near = inspirations.length;
  drawWithin(Infinity, Math.min(settings.count - near, settings.fallback));
  return { inspirations, radius, fallback: inspirations.length - near };
}
