import { z } from 'zod';
import type { Decision } from '../../../policy/index.ts';

const who = { policy: z.string(), version: z.int() };
const reasons = [
  z.object({ ...who, reason: z.literal('warmup'), have: z.int(), need: z.int() }),
  z.object({
    ...who,
    reason: z.literal('archive'),
    epoch: z.int(),
    cell: z.int(),
    resamples: z.int(),
    baseReused: z.boolean(),
    recipeReused: z.boolean(),
    radius: z.int(),
    fallback: z.int(),
    migrant: z.object({ island: z.int(), ordinal: z.int() }).nullable().exactOptional(),
  }),
  z.object({ ...who, reason: z.literal('champion'), bound: z.number() }),
  z.object({ ...who, reason: z.literal('root') }),
] as const;
const decisionSchema: z.ZodType<Decision> = z.discriminatedUnion('reason', reasons);

/** A stored decision; null where there is none, as for the root, or none that this version knows. */
export function readDecision(stored: unknown): Decision | null {
  const parsed = decisionSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}
