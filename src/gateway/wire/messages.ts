import { z } from 'zod';
import type { TokenUsage } from '../usage.ts';
import type { Wire } from './wire.ts';

const usage = z.object({
  input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
});
const answer = z.object({ usage });
const start = z.object({ type: z.literal('message_start'), message: answer });
const delta = z.object({ type: z.literal('message_delta'), usage });
const request = z.object({ model: z.string().nullish(), max_tokens: z.number().nullish() });

/** `POST /messages` of Anthropic. In a stream the first event has the input, later ones the output so far. */
export const messages: Wire = {
  name: 'messages',
  auth: (key) => ['x-api-key', key],
  matches: (path) => path === '/messages' || path === '/v1/messages',
  shapeOf(_path, body) {
    const { model, max_tokens: limit } = request.safeParse(body).data ?? {};
    return { model: model ?? null, maxOutputTokens: limit ?? null };
  },
  usageOf: (body) => merge(null, answer.safeParse(body).data?.usage),
  fold(known, body) {
    const begun = start.safeParse(body).data;
    if (begun !== undefined) return merge(known, begun.message.usage);
    return merge(known, delta.safeParse(body).data?.usage);
  },
};

/** What is not said again keeps its value. */
function merge(known: TokenUsage | null, found: z.output<typeof usage> | undefined): TokenUsage | null {
  if (found === undefined) return known;
  const { input_tokens: fresh, cache_creation_input_tokens: written, cache_read_input_tokens: read } = found;
  const saysInput = fresh != null || written != null || read != null;
  return {
    inputTokens: saysInput ? (fresh ?? 0) + (written ?? 0) + (read ?? 0) : (known?.inputTokens ?? 0),
    cachedTokens: read ?? known?.cachedTokens ?? 0,
    outputTokens: found.output_tokens ?? known?.outputTokens ?? 0,
    reportedCostUsd: null,
  };
}
