import OpenAI, { APIError } from 'openai';
import { z } from 'zod';
import { InfrastructureError } from '../../errors.ts';
import type { EmbeddingAccess } from './access.ts';
import { type BatchLimits, DEFAULT_LIMITS, type Piece, planBatches } from './batches.ts';
import type { EmbeddingProvider } from './provider.ts';
import { DEFAULT_RETRY, type RetryLimits, retrying } from './retry.ts';
import { unitLength } from './unit.ts';

export interface OpenAiProviderOptions {
  readonly model: string;
  readonly dimensions: number;
  readonly access: EmbeddingAccess;
  readonly limits?: Partial<BatchLimits>;
  readonly retry?: Partial<RetryLimits>;
}

/** What we rely on of an answer; the client has turned base64 into numbers already. */
const Answer = z.object({
  data: z.array(
    z.object({
      index: z.int().nonnegative().optional(),
      embedding: z.union([z.array(z.number()), z.instanceof(Float32Array)]),
    }),
  ),
});

/**
 * Any server that speaks `POST /embeddings` of OpenAI. Vectors come back as base64 or as numbers, are checked for number,
 * length and finiteness, and are scaled to unit length, which some servers leave to the caller.
 */
export function openAiProvider(options: OpenAiProviderOptions): EmbeddingProvider {
  const { model, dimensions } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const retry = { ...DEFAULT_RETRY, ...options.retry };
  // The client's own retries would multiply with ours, and its timeout is for each attempt alone.
  const client = new OpenAI({
    apiKey: 'in the gateway',
    baseURL: options.access.baseURL,
    fetch: options.access.fetch,
    maxRetries: 0,
    timeout: retry.deadlineMs,
  });
  let asksForDimensions = true;

  const request = async (batch: readonly Piece[], signal: AbortSignal): Promise<Float32Array[]> => {
    const input = batch.map((piece) => piece.content);
    const send = (body: { dimensions?: number }) => client.embeddings.create({ model, input, ...body }, { signal });
    try {
      return parseAnswer(await send(asksForDimensions ? { dimensions } : {}), batch.length, dimensions);
    } catch (error) {
      // Models of one fixed size refuse the parameter. The length of what comes is checked in any case.
      if (!asksForDimensions || !(error instanceof APIError) || (error.status !== 400 && error.status !== 422))
        throw error;
      const vectors = parseAnswer(await send({}), batch.length, dimensions);
      asksForDimensions = false;
      return vectors;
    }
  };

  return {
    id: `openai:${model}:${dimensions}`,
    dimensions,
    async embed(texts, signal) {
      const sums = texts.map(() => new Float64Array(dimensions));
      const what = `embedding with ${model}`;
      for (const batch of planBatches(texts, limits)) {
        const attempt = (attemptSignal: AbortSignal) => request(batch, attemptSignal);
        const vectors = await retrying(what, attempt, retry, signal).catch((error: unknown) => {
          options.access.refuse();
          throw error;
        });
        for (const [index, piece] of batch.entries()) addScaled(sums[piece.text], vectors[index], piece.bytes);
      }
      return sums.map(unitLength);
    },
  };
}

/** @throws InfrastructureError that says what was expected and what came. */
function parseAnswer(answer: unknown, count: number, dimensions: number): Float32Array[] {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) {
    throw new InfrastructureError(`the embedding server's answer is malformed: ${z.prettifyError(parsed.error)}`);
  }
  const { data } = parsed.data;
  if (data.length !== count) {
    throw new InfrastructureError(`the embedding server answered ${data.length} vectors to ${count} texts`);
  }
  const vectors: Float32Array[] = [];
  for (const [position, { index = position, embedding }] of data.entries()) {
    if (embedding.length !== dimensions) {
      throw new InfrastructureError(
        `the embedding server's vectors have ${embedding.length} dimensions, the campaign says ${dimensions}`,
        { hint: 'set search.descriptor.provider.dimensions to what the model gives' },
      );
    }
    const vector = Float32Array.from(embedding);
    if (!vector.every(Number.isFinite)) throw new InfrastructureError('the embedding server answered NaN or infinity');
    vectors[index] = unitLength(vector);
  }
  // An index that came twice or is out of range leaves a hole or a surplus.
  if (vectors.length !== count || Object.keys(vectors).length !== count) {
    throw new InfrastructureError("the embedding server's answer does not have each index once");
  }
  return vectors;
}

function addScaled(sum: Float64Array | undefined, vector: Float32Array | undefined, scale: number): void {
  if (sum === undefined || vector === undefined) return;
  for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + scale * value;
}
