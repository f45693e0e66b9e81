import { z } from 'zod';
import type { Campaign } from '../../config/index.ts';
import {
  type CallRecord,
  clientOf,
  createGateway,
  type Gateway,
  type Provider,
  parseJson,
} from '../../gateway/index.ts';
import { embedderOf } from '../models/index.ts';
import { modelUsers, type WireName } from './users.ts';

/** What came of asking a model the least that can be asked; plain JSON. */
export interface Probe {
  readonly provider: string;
  readonly model: string;
  readonly wire: WireName;
  /** Null when it answered as it should. */
  readonly problem: string | null;
  readonly durationMs: number;
  /** Null when nobody knows. */
  readonly costUsd: number | null;
}

const DEADLINE_MS = 30_000;
const QUESTION = 'Answer with the word ok.';
const MOST_TOKENS = 16;

interface Request {
  readonly path: (model: string) => string;
  readonly body: (model: string) => object;
  /** A member of an answer in this protocol. */
  readonly answers: string;
}

const REQUESTS: Readonly<Record<WireName, Request>> = {
  chat: {
    path: () => '/chat/completions',
    body: (model) => ({ model, messages: MESSAGES, max_completion_tokens: MOST_TOKENS }),
    answers: 'choices',
  },
  responses: {
    path: () => '/responses',
    body: (model) => ({ model, input: QUESTION, max_output_tokens: MOST_TOKENS }),
    answers: 'output',
  },
  messages: {
    path: () => '/v1/messages',
    body: (model) => ({ model, messages: MESSAGES, max_tokens: MOST_TOKENS }),
    answers: 'content',
  },
  gemini: {
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: () => ({
      contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      generationConfig: { maxOutputTokens: MOST_TOKENS },
    }),
    answers: 'candidates',
  },
  embeddings: { path: () => '/embeddings', body: (model) => ({ model, input: 'ok' }), answers: 'data' },
};

const MESSAGES = [{ role: 'user', content: QUESTION }];

/** Asks every model that a campaign names, once and all at the same time, through a gateway like that of a run. */
export async function probeModels(
  campaign: Campaign,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Probe[]> {
  const asked = new Map(modelUsers(campaign).map((user) => [`${user.provider} ${user.model} ${user.wire}`, user]));
  const embedder = embedderOf(campaign.search.descriptor.provider);
  const providers: Provider[] = [...campaign.providers, ...(embedder === null ? [] : [embedder])];
  const calls: CallRecord[] = [];
  const gateway = createGateway({
    providers,
    environment,
    onCall: async (call) => void calls.push(call),
    patience: { attempts: 1, answerMs: DEADLINE_MS },
  });
  const probes = [...asked.values()].flatMap(({ provider, model, wire }) =>
    model === null || wire === null ? [] : [probe(gateway, calls, { provider, model, wire }, signal)],
  );
  return Promise.all(probes);
}

async function probe(
  gateway: Gateway,
  calls: readonly CallRecord[],
  { provider, model, wire }: { readonly provider: string; readonly model: string; readonly wire: WireName },
  signal: AbortSignal,
): Promise<Probe> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const role = `probe ${provider} ${model} ${wire}`;
  const ticket = gateway.issue({ campaignId: 0, ordinal: null, role, budgets: [], deadline });
  const { baseURL, fetch } = clientOf(gateway, ticket, provider);
  const { path, body, answers } = REQUESTS[wire];
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const request = { method: 'POST', headers, body: JSON.stringify(body(model)), signal };
  const started = performance.now();
  const problem = await fetch(`${baseURL}${path(model)}`, request).then(
    async (response) => judge(response.status, await response.text(), answers),
    (error: Error) => error.message,
  );
  signal.throwIfAborted();
  const late = deadline.aborted ? `no answer within ${DEADLINE_MS / 1000} s` : null;
  return {
    ...{ provider, model, wire },
    problem: problem === null ? null : (late ?? ticket.fault?.message ?? problem),
    durationMs: performance.now() - started,
    costUsd: calls.find((call) => call.role === role)?.costUsd ?? null,
  };
}

const refusal = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]),
});

/** What is wrong with an answer; null when nothing is. */
function judge(status: number, text: string, member: string): string | null {
  // What is no JSON is no answer of a model server.
  const answer = parseJson(text);
  const said = refusal.safeParse(answer).data?.error;
  if (status !== 200)
    return said === undefined ? `it answers with status ${status}` : `${status}: ${said.slice(0, 300)}`;
  if (typeof answer === 'object' && answer !== null && member in answer) return null;
  return said ?? `it does not speak this protocol: its answer has no "${member}"`;
}
