import { isRecord } from './key-path.ts';

/**
 * Named searches: `search: {preset: small}` stands for these keys, each of which may still be written beside it. The values are in
 * the words of the campaign file.
 */
export const PRESETS = {
  /**
   * The search of the published study on Zstandard [Loreley, arXiv:2608.19703], whose blocks differ by their seed: 20260821 +
   * 100000·(block − 1). Objectives with epsilon 0.003 and the time limits of its agents belong to other sections of the file.
   */
  'loreley-zstd': {
    policy: 'quality-diversity',
    seed: 20260821,
    schedule: { mode: 'batch', size: 4 },
    warmup: 4,
    place_root: false,
    descriptor: {
      kind: 'repository-mean',
      provider: { kind: 'openai', model: 'text-embedding-3-small', dimensions: 1536 },
    },
    projection: { dimensions: 3, clip: 3, refit: 4, growth: 0, history: 4096 },
    grid: { cells: 4 },
    front: { capacity: 8, rule: 'pairwise' },
    inspirations: { count: 2, radius: 1, max_radius: 3, fallback: 8, cooldown: 64 },
    islands: { count: 1, migrate_every: 0 },
  },
  /** For a few dozen jobs: nine cells, of which a short history fills more than a few. */
  small: {
    schedule: { mode: 'batch', size: 2 },
    warmup: 6,
    projection: { dimensions: 2, refit: 4 },
    grid: { cells: 3 },
    front: { capacity: 4 },
    inspirations: { count: 1, max_radius: 2, cooldown: 16 },
  },
  /** For a quick gain: eight cells with short fronts, so that most jobs go on from the best there is. */
  exploit: {
    grid: { cells: 2 },
    front: { capacity: 3 },
    inspirations: { count: 3, radius: 1, max_radius: 1, fallback: 2, cooldown: 16 },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type PresetName = keyof typeof PRESETS;

export const presetNames = Object.keys(PRESETS) as PresetName[];

/** The written campaign with the keys of its preset filled in where they are not written; unknown presets are left to the schema. */
export function expandPreset(written: unknown): unknown {
  if (!isRecord(written) || !isRecord(written.search)) return written;
  const { preset } = written.search;
  const known = presetNames.find((name) => name === preset);
  return known === undefined ? written : { ...written, search: beneath(PRESETS[known], written.search) };
}

/** `over` where it says something, else `under`. Two sections of different kinds are not mixed. */
function beneath(under: unknown, over: unknown): unknown {
  if (!isRecord(under) || !isRecord(over)) return over === undefined ? under : over;
  if (over.kind !== undefined && under.kind !== undefined && over.kind !== under.kind) return over;
  const keys = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, beneath(under[key], over[key])]));
}
