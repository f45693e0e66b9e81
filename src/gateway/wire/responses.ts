import { z } from 'zod';
import type { TokenUsage } from '../usage.ts';
import { bearer, type Wire } from './wire.ts';

const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  cost: z.number().nullish(),
});
const answer = z.object({ usage });
const event = z.object({ response: answer });
const request = z.object({ model: z.string().nullish(), max_output_tokens: z.number().nullish() });

/** `POST /responses` of OpenAI. In a stream the last event carries the whole response. */
export const responses: Wire = {
  name: 'responses',
  auth: bearer,
  matches: (path) => path === '/responses',
  shapeOf(_path, body) {
    const { model, max_output_tokens: limit } = request.safeParse(body).data ?? {};
    return { model: model ?? null, maxOutputTokens: limit ?? null };
  },
  usageOf: (body) => toUsage(answer.safeParse(body).data?.usage),
  fold: (known, body) => toUsage(event.safeParse(body).data?.response.usage) ?? known,
};

function toUsage(found: z.output<typeof usage> | undefined): TokenUsage | null {
  if (found === undefined) return null;
  return {
    inputTokens: found.input_tokens,
    cachedTokens: found.input_tokens_details?.cached_tokens ?? 0,
    outputTokens: found.output_tokens,
    reportedCostUsd: found.cost ?? null,
  };
}
