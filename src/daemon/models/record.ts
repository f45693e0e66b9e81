import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CallRecord } from '../../gateway/index.ts';
import type { NewCall } from '../../store/index.ts';

/** Writes request and answer of a call, as they went over the wire and without any header, to a file of `folder`; returns its name. */
export async function writeRecording(folder: string, { wire, request, response }: CallRecord): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = `${randomUUID()}.json.gz`;
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
  // Vectors are of no use to a reader, and in the cache anyway.
  const body = JSON.stringify({ request: text(request), response: wire === 'embeddings' ? null : text(response) });
  await writeFile(join(folder, name), await promisify(gzip)(body));
  return name;
}

/** A call as a row. */
export function callRow(call: CallRecord, coder: string | null, recording: string | null): NewCall {
  const { campaignId, ordinal, role, provider, wire, model, attempts, status, usage, costUsd, failure } = call;
  return {
    ...{ campaignId, ordinal, role, coder, provider, wire, model, attempts, status, costUsd, failure, recording },
    inputTokens: usage?.inputTokens ?? null,
    cachedTokens: usage?.cachedTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    durationMs: call.durationMs,
    requestBytes: call.request.byteLength,
    responseBytes: call.response.byteLength,
    startedAt: call.startedAt,
  };
}
