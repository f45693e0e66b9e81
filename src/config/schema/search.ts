import * as z from 'zod';
import { presetNames } from '../presets.ts';
import { count, environmentName, kinded, line, positive } from './values.ts';

const localSchema = z.strictObject({
  kind: z.literal('local').describe('Built-in feature hash; needs no network.'),
  dimensions: z.int().min(8).max(8192).default(512),
});

const openaiSchema = z.strictObject({
  kind: z.literal('openai').describe('Any server with an OpenAI-compatible /embeddings.'),
  model: line.default('text-embedding-3-small'),
  dimensions: z.int().min(8).max(8192).default(1536),
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  api_key_env: environmentName.default('OPENAI_API_KEY').describe('Name of the variable that holds the key.'),
});

const descriptorSchema = z.strictObject({
  kind: z
    .enum(['displacement', 'repository-mean', 'diff', 'structural', 'features', 'random'])
    .default('displacement')
    .describe('How a repository state becomes a vector.'),
  provider: kinded('local', ['local', 'openai'], z.discriminatedUnion('kind', [localSchema, openaiSchema]))
    .prefault('local')
    .describe('Who embeds text.'),
});

const projectionSchema = z.strictObject({
  dimensions: z.int().min(1).max(16).default(3).describe('Axes of the grid.'),
  clip: z.number().gt(0).default(3).describe('Whitened coordinates are clipped to ± this.'),
  refit: positive.default(8).describe('New states between two fits, at least.'),
  growth: z
    .number()
    .min(0)
    .max(8)
    .default(0.25)
    .describe('New states between two fits, as a share of those at the last; keeps long campaigns fast.'),
  history: positive.default(4096).describe('The most recent states that a fit looks at.'),
});

const inspirationsSchema = z.strictObject({
  count: count.max(16).default(2).describe('Retained candidates shown to the agent as text.'),
  radius: count.default(1).describe('Chebyshev distance in cells to look in first.'),
  max_radius: count.default(3).describe('The distance that the search grows to.'),
  fallback: count.default(8).describe('Candidates drawn from elsewhere when still short.'),
  cooldown: count.default(64).describe('A recipe is not repeated within this many jobs.'),
});

const wide = positive.max(1024);
const scheduleSchema = z
  .strictObject({
    mode: z
      .enum(['batch', 'streaming'])
      .default('batch')
      .describe('batch settles in the order of planning; streaming as jobs are done.'),
    size: wide.optional().describe('batch: jobs planned together; default 4.'),
    slots: wide.optional().describe('streaming: jobs unsettled at a time; default 4.'),
  })
  .refine(({ mode, size }) => mode === 'batch' || size === undefined, {
    path: ['size'],
    error: 'belongs to mode: batch; streaming has slots',
  })
  .refine(({ mode, slots }) => mode === 'streaming' || slots === undefined, {
    path: ['slots'],
    error: 'belongs to mode: streaming; batch has size',
  });

export const searchSchema = z
  .strictObject({
    preset: z.enum(presetNames).optional().describe('A named search; keys written beside it win.'),
    policy: z
      .enum(['quality-diversity', 'sequential-champion', 'independent-root'])
      .default('quality-diversity')
      .describe('Where jobs start: from the archive, from the best so far (one at a time), or always from the root.'),
    seed: count.default(1).describe('All randomness comes from it.'),
    schedule: scheduleSchema.prefault({}),
    warmup: positive.optional().describe('Valid candidates before the first fit; default max(8, 2·(dimensions + 1)).'),
    place_root: z.boolean().default(true).describe('Whether the root is placed like any candidate.'),
    descriptor: descriptorSchema.prefault({}),
    projection: projectionSchema.prefault({}),
    grid: z.strictObject({ cells: positive.default(4).describe('Cells along each axis.') }).prefault({}),
    front: z
      .strictObject({
        capacity: positive.default(8).describe('Candidates that one cell keeps.'),
        rule: z.enum(['box', 'pairwise']).default('box').describe('pairwise only repeats a published treatment.'),
      })
      .prefault({}),
    inspirations: inspirationsSchema.prefault({}),
    islands: z
      .strictObject({
        count: positive.max(64).default(1).describe('Sub-populations, each with its own history and grid.'),
        migrate_every: count
          .default(0)
          .describe('Every so many jobs of an island look at an elite of another; 0 = never.'),
      })
      .prefault({}),
  })
  .describe('How the archive is kept and sampled. Frozen at the first run.');
