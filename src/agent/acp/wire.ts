import { type AnyMessage, methods, type Stream } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { Input } from '../../process/index.ts';
import { createCutter } from './lines.ts';

const MEBIBYTE = 2 ** 20;
const LINE_BYTES = 32 * MEBIBYTE;
/** Of all that an agent prints in one run; far above what talking takes. */
const TOTAL_BYTES = 256 * MEBIBYTE;
/** Of what it prints that is no message. */
const NOISE_BYTES = 16 * MEBIBYTE;
const NOISE_CHARACTERS = 4_000;
/** Questions of the agent whose answers it has not taken yet. */
const OPEN_QUESTIONS = 1_000;

/** What an agent did that ends the talk with it; the message goes on after its name. */
export class Misbehaved extends Error {}

const envelope = z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string().optional() });

/** The two pipes of an agent as the stream of messages that the SDK wants. */
export interface Wire {
  readonly stream: Stream;
  /** For `RunRequest.onStdout`. */
  readonly take: (chunk: Uint8Array) => Promise<void>;
  /** For `RunRequest.onStdin`. */
  readonly give: (input: Input) => void;
  /** Nothing more is said to the agent. */
  readonly hangUp: () => void;
  /** Nothing more comes from the agent: whoever waits for an answer learns it. */
  readonly close: () => void;
  /** The beginning of what the agent printed that is no message. */
  readonly noise: () => string;
}

/**
 * Not the SDK's own `ndJsonStream`: that reads on however slow its reader is, answers what is no message (a log line) with an error,
 * and the SDK prints what it cannot use on our stderr. Here the agent is not read faster than its messages are used, and what
 * nobody waits for goes no further. `onUpdate` gets the params of every `session/update`, in order and before any later answer.
 */
export function createWire(onUpdate: (params: unknown) => void): Wire {
  const incoming = new TransformStream<AnyMessage, AnyMessage>();
  const writer = incoming.writable.getWriter();
  const input = Promise.withResolvers<Input>();
  const cut = createCutter(LINE_BYTES);
  const asked = new Set<unknown>();
  let [open, bytes, noiseBytes] = [0, 0, 0];
  let noise = '';
  let closed = false;

  const end = async (why: Misbehaved | null): Promise<void> => {
    if (closed) return;
    closed = true;
    // Fails when the other end was let go of already, and then nobody waits.
    await (why === null ? writer.close() : writer.abort(why)).catch(() => {});
  };

  const remember = (line: string): void => {
    noiseBytes += line.length + 1;
    if (noiseBytes > NOISE_BYTES) throw new Misbehaved(`printed more than ${NOISE_BYTES} bytes that are no messages`);
    if (noise.length < NOISE_CHARACTERS) noise += `${line.slice(0, NOISE_CHARACTERS - noise.length)}\n`;
  };

  const accept = async (line: string): Promise<void> => {
    const message = messageIn(line);
    if (message === null) return remember(line);
    if (message.method === undefined) {
      if (!asked.delete(message.id)) return remember(line);
    } else if ('id' in message) {
      open += 1;
      if (open > OPEN_QUESTIONS) throw new Misbehaved(`asked ${open} questions without taking the answers`);
    } else if (message.method === methods.client.session.update) {
      return onUpdate(message.params);
    } else if (message.method !== methods.protocol.cancelRequest) {
      return;
    }
    // What it is in full is for the SDK to check.
    await writer.write(message as AnyMessage);
  };

  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if ('method' in message && 'id' in message) asked.add(message.id);
      const { write } = await input.promise;
      await write(Buffer.from(`${JSON.stringify(message)}\n`));
      if (!('method' in message)) open -= 1;
    },
  });

  return {
    stream: { readable: incoming.readable, writable },
    async take(chunk) {
      if (closed) return;
      try {
        bytes += chunk.length;
        if (bytes > TOTAL_BYTES) throw new Misbehaved(`printed more than ${TOTAL_BYTES} bytes`);
        for (const line of cut(chunk)) if (line !== '') await accept(line);
      } catch (error) {
        // Whatever else it is, such as a reader that let go, ends the stream as well.
        if (error instanceof RangeError) await end(new Misbehaved(`printed a line of more than ${LINE_BYTES} bytes`));
        else await end(error instanceof Misbehaved ? error : null);
      }
    },
    give: input.resolve,
    hangUp: () => void input.promise.then(({ end: finish }) => finish()),
    close: () => void end(null),
    noise: () => noise,
  };
}

function messageIn(line: string): z.output<typeof envelope> | null {
  try {
    return envelope.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    // No JSON: a line of a log, most of the time.
    return null;
  }
}
