import { z } from 'zod';
import type { TokenUsage } from '../usage.ts';
import type { Wire } from './wire.ts';

const answer = z.object({
  usageMetadata: z.object({
    promptTokenCount: z.number().nullish(),
    cachedContentTokenCount: z.number().nullish(),
    candidatesTokenCount: z.number().nullish(),
    thoughtsTokenCount: z.number().nullish(),
  }),
});
const request = z.object({ generationConfig: z.object({ maxOutputTokens: z.number().nullish() }).nullish() });
const PATH = /^\/(?:v1(?:beta)?\/)?models\/([^/:]+):(?:streamGenerateContent|generateContent)$/;

/** `POST /models/MODEL:generateContent` of Gemini; every chunk of a stream has the usage so far. */
export const gemini: Wire = {
  name: 'gemini',
  auth: (key) => ['x-goog-api-key', key],
  matches: (path) => PATH.test(path),
  shapeOf(path, body) {
    const limit = request.safeParse(body).data?.generationConfig?.maxOutputTokens;
    return { model: PATH.exec(path)?.[1] ?? null, maxOutputTokens: limit ?? null };
  },
  // A stream that did not ask for events is one array of its chunks.
  usageOf: (body) => (Array.isArray(body) ? body : [body]).reduce<TokenUsage | null>(fold, null),
  fold,
};

function fold(known: TokenUsage | null, body: unknown): TokenUsage | null {
  const found = answer.safeParse(body).data?.usageMetadata;
  if (found === undefined) return known;
  return {
    inputTokens: found.promptTokenCount ?? known?.inputTokens ?? 0,
    cachedTokens: found.cachedContentTokenCount ?? known?.cachedTokens ?? 0,
    outputTokens: (found.candidatesTokenCount ?? 0) + (found.thoughtsTokenCount ?? 0),
    reportedCostUsd: null,
  };
}
