import { type Account, openAccount } from './account.ts';
import { type Answer, answerWith, failureAnswer } from './answer.ts';
import { begun } from './begun.ts';
import type { CallRecord } from './call.ts';
import { type Gate, ShutError } from './gate.ts';
import { parseJson } from './json.ts';
import { listen } from './listen.ts';
import { createMeter } from './meter.ts';
import type { Provider } from './provider.ts';
import { forwarded, type Inbound } from './request.ts';
import type { CallFault, Ticket } from './ticket.ts';
import { type Patience, type Reached, reach, type UpstreamRequest } from './upstream.ts';
import type { Wire } from './wire/wire.ts';

/** A call whose ticket, provider and protocol are known. */
export interface Forwarding {
  readonly inbound: Inbound;
  readonly ticket: Ticket;
  readonly provider: Provider;
  readonly gate: Gate;
  readonly wire: Wire;
  /** Relative to the provider's base. */
  readonly path: string;
  readonly query: string;
}

export interface ForwardDeps {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly patience: Patience;
  readonly onCall: (call: CallRecord) => Promise<void>;
}

/** Makes the call and hands its answer on as it comes. What goes wrong is an answer, too. */
export async function forward(call: Forwarding, deps: ForwardDeps, signal: AbortSignal): Promise<Answer> {
  const { inbound, ticket, provider, wire, path } = call;
  const shape = wire.shapeOf(path, parseJson(Buffer.from(inbound.body).toString('utf8')));
  const account = await openAccount({ ticket, provider, wire, shape, request: inbound.body }, deps.onCall);
  if (typeof account === 'string') return refuse(call, 'budget', `the budget is used up (${account})`);
  const request = upstreamRequest(call, deps.environment);
  if (request === null) {
    await account.close({ ...NOTHING, attempts: 0, failure: 'no key' });
    return refuse(call, 'shut', `${provider.apiKeyEnv} is not set: ${provider.name} needs a key`);
  }
  const until = AbortSignal.any([signal, ticket.holder.deadline]);
  let reached: Reached;
  try {
    reached = await reach(request, call.gate, deps.patience, until);
  } catch (error) {
    const shut = error instanceof ShutError;
    const message = shut ? `${provider.name} is shut (${error.message})` : 'the time is up';
    await account.close({ ...NOTHING, attempts: 0, failure: message });
    if (shut) return refuse(call, 'shut', message);
    const late = ticket.holder.deadline.aborted && (!ticket.answered || call.gate.held);
    if (late) return refuse(call, 'unreachable', unanswered(provider));
    return failureAnswer(400, message);
  }
  return handOn(call, account, reached, deps.patience, until);
}

const LEFT = 'the caller went away';
const NOTHING = { usage: null, status: null, response: new Uint8Array() };

/** A run that spent its whole time without one answer was not tried. */
function unanswered({ name }: Provider): string {
  return `${name} gave no whole answer in the time that the agent has`;
}

/** The caller is told, and so is whoever judges the job: the candidate is not to blame. */
function refuse({ ticket, provider }: Forwarding, kind: CallFault['kind'], message: string): Answer {
  ticket.fault ??= { kind, provider: provider.name, message };
  return failureAnswer(400, message);
}

async function handOn(
  call: Forwarding,
  account: Account,
  reached: Reached,
  patience: Patience,
  until: AbortSignal,
): Promise<Answer> {
  const { attempts } = reached;
  const { name } = call.provider;
  switch (reached.kind) {
    case 'answer': {
      const { status, headers } = reached.response;
      return {
        status,
        headers: forwarded(headers),
        body: begun(metered(call, account, reached, patience, until), until),
      };
    }
    case 'wrong': {
      const { status, headers, body } = reached;
      await account.close({ attempts, status, usage: null, failure: `refused with ${status}`, response: body });
      return answerWith(status, headers, body);
    }
    case 'shut':
    case 'unreachable': {
      const what = reached.kind === 'shut' ? 'serves no further call' : 'cannot be reached';
      const message = `${name} ${what}: ${reached.message}`;
      await account.close({ ...NOTHING, attempts, failure: message });
      return refuse(call, reached.kind, message);
    }
  }
}

/** The pieces of the answer; when the last is taken, or nobody wants more, the call is booked. */
async function* metered(
  { wire, ticket, provider }: Forwarding,
  account: Account,
  { response, attempts, leave }: Extract<Reached, { kind: 'answer' }>,
  patience: Patience,
  until: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const meter = createMeter(wire, response.headers.get('content-type') ?? '');
  const pieces: Uint8Array[] = [];
  let failure: string | null = LEFT;
  try {
    for await (const piece of listen(response, patience, until)) {
      pieces.push(piece);
      meter.take(piece);
      yield piece;
    }
    failure = null;
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
    const late = ticket.holder.deadline.aborted && !ticket.answered;
    const message = late ? unanswered(provider) : `${provider.name}: ${failure}`;
    if (!until.aborted || late) ticket.fault ??= { kind: 'unreachable', provider: provider.name, message };
    throw error;
  } finally {
    leave();
    const usage = meter.finish();
    // The last piece says the usage: a caller that went away after it has read the whole answer.
    if (failure === LEFT && usage !== null) failure = null;
    if (failure === null) {
      ticket.answered = true;
      if (ticket.fault?.kind === 'unreachable') ticket.fault = null;
    }
    await account.close({ attempts, status: response.status, usage, failure, response: Buffer.concat(pieces) });
  }
}

/** With the key in the place of whatever the agent sent; null when the key is missing. */
function upstreamRequest(
  { inbound, provider, wire, path, query }: Forwarding,
  environment: ForwardDeps['environment'],
): UpstreamRequest | null {
  const headers = forwarded(inbound.headers);
  headers.set('accept-encoding', 'identity'); // the bytes are handed on as they come
  if (provider.apiKeyEnv !== null) {
    const key = environment[provider.apiKeyEnv];
    const missing = key === undefined || key === '';
    if (missing && provider.keyless !== true) return null;
    if (!missing) headers.set(...wire.auth(key));
  }
  return { url: `${provider.baseUrl}${path}${query}`, method: inbound.method, headers, body: inbound.body };
}
