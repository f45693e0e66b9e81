import { type Attributes, type Context, context, SpanStatusCode, trace } from '@opentelemetry/api';
import type { CallRecord } from '../../gateway/index.ts';
import type { JobPart } from './job.ts';

/** Where a span belongs that is made later: what happens in an agent comes back by a socket, out of its context. */
export type SpanParent = Context;

/** Without an SDK in the process all of this does nothing. */
const tracer = () => trace.getTracer('clade');

/** The present place in the tree of spans. */
export const parentOf = (): SpanParent => context.active();

/** A part of a job, from its claim to its record. A failure that is thrown marks it. */
export function jobSpan<T>(campaign: string, { ordinal, stage, ...rest }: JobPart, work: () => Promise<T>): Promise<T> {
  const attributes: Attributes = { 'clade.campaign': campaign, 'clade.job': ordinal };
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) attributes[`clade.${name}`] = value;
  return inSpan(stage, attributes, work);
}

/** Something that this process does, as a span. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(`clade ${name}`, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A step of an evaluation that has ended. */
export function stageSpan({
  name,
  status,
  durationMs,
}: {
  readonly name: string;
  readonly status: string;
  readonly durationMs: number;
}): void {
  const end = Date.now();
  const span = tracer().startSpan(`clade step ${name}`, {
    startTime: end - durationMs,
    attributes: { 'clade.status': status },
  });
  if (status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(end);
}

/** A model call that has ended, by the names of OpenTelemetry's semantic conventions for generative AI. */
export function callSpan(call: CallRecord, parent: SpanParent): void {
  const { provider, wire, model, usage, status, failure, startedAt, durationMs, attempts } = call;
  const operation = wire === 'embeddings' ? 'embeddings' : 'chat';
  const span = tracer().startSpan(
    `${operation} ${model ?? provider}`,
    {
      startTime: startedAt,
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': provider,
        ...(model === null ? {} : { 'gen_ai.request.model': model }),
        ...(usage === null
          ? {}
          : { 'gen_ai.usage.input_tokens': usage.inputTokens, 'gen_ai.usage.output_tokens': usage.outputTokens }),
        ...(status === null ? {} : { 'http.response.status_code': status }),
        'clade.attempts': attempts,
        'clade.role': call.role,
      },
    },
    parent,
  );
  if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end(new Date(startedAt.getTime() + durationMs));
}
