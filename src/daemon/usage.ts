import { z } from 'zod';
import type { Usage } from '../pipeline/index.ts';
import type { JobRow } from '../store/index.ts';

const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
});

/** What the model calls of a job used so far, as its row holds it; null when it made none. */
export function usageOf({ usage }: Pick<JobRow, 'usage'>): Usage | null {
  return usageSchema.safeParse(usage).data ?? null;
}
