import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandReceiver, Receiver, UrlReceiver } from '../../config/index.ts';
import { InfrastructureError } from '../../errors.ts';
import { baseEnvironment, redactor, run } from '../../process/index.ts';
import type { Message } from './message.ts';

/** Where a delivery is made. */
export interface Place {
  /** The campaign's folder, in which commands run. */
  readonly directory: string;
  /** For HOME and TMPDIR of commands. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** How a receiver is called in warnings and events, without what may be a secret in a URL. */
export function nameOf(receiver: Receiver): string {
  if (receiver.kind === 'command') return receiver.command[0] ?? '';
  return 'url' in receiver.place ? new URL(receiver.place.url).origin : `$${receiver.place.urlEnv}`;
}

/** Names of the environment variables that it cannot do without. */
export function variablesOf(receiver: Receiver): string[] {
  if (receiver.kind === 'command') return [];
  const { place, headersEnv } = receiver;
  return [...('urlEnv' in place ? [place.urlEnv] : []), ...Object.values(headersEnv)];
}

/** Tells one receiver once, within its timeout. Null when it took the message; else why not, without secrets. */
export async function deliver(receiver: Receiver, message: Message, place: Place): Promise<string | null> {
  const secrets = receiver.kind === 'command' ? receiver.env : variablesOf(receiver);
  const hide = redactor(secrets.flatMap((name) => process.env[name] ?? []));
  const reason =
    receiver.kind === 'command' ? await call(receiver, message, place) : await post(receiver, message, place);
  return reason === null ? null : hide(reason);
}

async function post(
  receiver: UrlReceiver & { readonly timeoutMs: number },
  message: Message,
  { signal }: Place,
): Promise<string | null> {
  const missing = variablesOf({ ...receiver, on: [] }).find((name) => process.env[name] === undefined);
  if (missing !== undefined) return `the environment variable ${missing} is not set`;
  const read = (name: string): string => (process.env[name] ?? '').trim();
  const url = 'url' in receiver.place ? receiver.place.url : read(receiver.place.urlEnv);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return 'its variable holds no http or https URL';
  const headers = Object.entries(receiver.headersEnv).map(([header, name]) => [header, read(name)] as const);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'clade', ...Object.fromEntries(headers) },
      body: JSON.stringify(message),
      // Traffic goes where the user said and nowhere else.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(receiver.timeoutMs)]),
    });
    await response.body?.cancel();
    if (response.ok) return null;
    const { status } = response;
    return status >= 300 && status < 400
      ? `it answered ${status}, a redirect, which is not followed`
      : `it answered ${status}`;
  } catch (error) {
    return failureOf(error, receiver.timeoutMs);
  }
}

/** Whatever `fetch` rejects with is the connection, or a header that is none. */
function failureOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

async function call(
  { command, env, timeoutMs }: CommandReceiver & { readonly timeoutMs: number },
  message: Message,
  { directory, folder, signal }: Place,
): Promise<string | null> {
  const [program = '', ...rest] = command;
  const [home, tmp] = [join(folder, 'home'), join(folder, 'tmp')];
  try {
    for (const dir of [home, tmp]) await mkdir(dir, { recursive: true });
    const { end, stderr } = await run({
      argv: [program, ...rest],
      cwd: directory,
      env: baseEnvironment({ home, tmp, pass: env }),
      stdin: `${JSON.stringify(message)}\n`,
      timeoutMs,
      graceMs: 1_000,
      signal,
      capture: { headBytes: 4_096, tailBytes: 4_096 },
    });
    if (end.kind === 'exit' && end.code === 0) return null;
    const last = stderr.text.trim().split('\n').at(-1) ?? '';
    return `${wordsFor(end)}${last === '' ? '' : `: ${last.slice(0, 300)}`}`;
  } catch (error) {
    // A disk that is full, say: what is told waits for it like anything else.
    if (error instanceof InfrastructureError) return error.message;
    throw error;
  }
}

function wordsFor(end: Awaited<ReturnType<typeof run>>['end']): string {
  if (end.kind === 'exit') return `it ended with ${end.code}`;
  if (end.kind === 'signal') return `it was ended by ${end.signal}`;
  if (end.kind === 'timeout') return 'it did not end in time';
  return end.kind === 'cancelled' ? 'it was interrupted' : end.message;
}
