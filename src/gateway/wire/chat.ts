import { z } from 'zod';
import type { TokenUsage } from '../usage.ts';
import { bearer, type Wire } from './wire.ts';

const usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  cost: z.number().nullish(),
});
const answer = z.object({ usage });
const request = z.object({
  model: z.string().nullish(),
  max_tokens: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
});

/** `POST /chat/completions`. In a stream a chunk without choices carries the usage, if the request asked for it. */
export const chat: Wire = {
  name: 'chat',
  auth: bearer,
  matches: (path) => path === '/chat/completions',
  shapeOf(_path, body) {
    const { model, max_tokens: old, max_completion_tokens: limit } = request.safeParse(body).data ?? {};
    return { model: model ?? null, maxOutputTokens: limit ?? old ?? null };
  },
  usageOf: (body) => chatUsage(body),
  fold: (known, body) => chatUsage(body) ?? known,
};

/** `POST /embeddings`, whose usage has the same form without an output. */
export const embeddings: Wire = {
  name: 'embeddings',
  auth: bearer,
  matches: (path) => path === '/embeddings',
  shapeOf: (_path, body) => ({ model: request.safeParse(body).data?.model ?? null, maxOutputTokens: 0 }),
  usageOf: (body) => chatUsage(body),
  fold: (known) => known,
};

function chatUsage(body: unknown): TokenUsage | null {
  const found = answer.safeParse(body).data?.usage;
  if (found === undefined) return null;
  return {
    inputTokens: found.prompt_tokens,
    cachedTokens: found.prompt_tokens_details?.cached_tokens ?? 0,
    outputTokens: found.completion_tokens ?? 0,
    reportedCostUsd: found.cost ?? null,
  };
}
