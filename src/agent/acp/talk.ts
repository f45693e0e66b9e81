import { setTimeout as sleep } from 'node:timers/promises';
import { client, methods, PROTOCOL_VERSION, type PromptRequest, RequestError } from '@agentclientprotocol/sdk';
import { initialized, sessionMade, turnEnded } from './answers.ts';
import { chooseModel } from './model.ts';
import { answer, objection, type Scope } from './permission.ts';
import type { Tools } from './tools.ts';
import { Misbehaved, type Wire } from './wire.ts';

/** From `session/cancel` on, for the agent to end its turn by itself. */
const CANCEL_MS = 2_000;
const AUTH_REQUIRED = -32_000;
const DETAIL_CHARACTERS = 1_000;
const MAX_OFFERED = 20;

/** Where a talk is: the request that is not answered yet. */
export type Stage = 'initialize' | 'authenticate' | 'session/new' | 'session/set_config_option' | 'session/prompt';

/** How a talk ended. */
export type Ending =
  | { readonly kind: 'stopped'; readonly reason: string }
  /** By us. */
  | { readonly kind: 'cancelled'; readonly stage: Stage }
  /** The agent went away, in a way that is known from its process. */
  | { readonly kind: 'gone'; readonly stage: Stage }
  /** `detail` goes on after the agent's name. */
  | { readonly kind: 'failed'; readonly detail: string };

export interface Talk {
  readonly wire: Wire;
  /** The working folder of the session, absolute as the agent sees it. */
  readonly cwd: string;
  readonly prompt: string;
  /** The model as the agent calls it; null: its default. */
  readonly model: string | null;
  /** The way of authentication to take where the agent offers it; null: none. */
  readonly authMethod: string | null;
  readonly scope: Scope;
  readonly tools: Tools;
  readonly note: (text: string) => void;
}

/**
 * One session with one prompt. When `stop` is aborted, the agent is asked to cancel, and given a moment for it. An agent that does
 * anything else than answer is an ending, never an error.
 */
export async function talk(task: Talk, stop: AbortSignal): Promise<Ending> {
  const { wire, cwd, prompt, model, authMethod, scope, tools, note } = task;
  let stage: Stage = 'initialize';
  let sessionId: string | null = null;
  const connection = client({ name: 'clade' })
    .onRequest(methods.client.session.requestPermission, ({ params: { toolCall, options } }) => {
      if (stop.aborted) return { outcome: { outcome: 'cancelled' } };
      const call = tools.seen(toolCall);
      const against = objection(call, scope);
      const { allowed, outcome } = answer(options, call.kind, against === null);
      if (!allowed) note(`not permitted: ${call.kind}: ${call.title} (${against ?? 'no option fits'})`);
      return { outcome };
    })
    .connect(wire.stream);
  const { agent } = connection;

  const turn = async (): Promise<Ending> => {
    const hello = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'clade', version: '1' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    const { protocolVersion, authMethods } = initialized.parse(hello);
    if (protocolVersion !== PROTOCOL_VERSION) {
      return failed(`speaks version ${protocolVersion} of the protocol, and not ${PROTOCOL_VERSION}`);
    }
    if (authMethod !== null && authMethods?.some((method) => method.id === authMethod)) {
      stage = 'authenticate';
      await agent.request(methods.agent.authenticate, { methodId: authMethod });
    }
    stage = 'session/new';
    const session = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    const { sessionId: id, configOptions } = sessionMade.parse(session);
    sessionId = id;
    const choice = chooseModel(configOptions, model);
    if (choice.kind === 'missing') {
      const offered = choice.offered.slice(0, MAX_OFFERED).join(', ');
      return failed(`offers no model ${model}, only ${offered}`.slice(0, DETAIL_CHARACTERS));
    }
    if (choice.kind === 'set') {
      const { configId, value } = choice;
      stage = 'session/set_config_option';
      await agent.request(methods.agent.session.setConfigOption, { sessionId: id, configId, value });
    }
    stage = 'session/prompt';
    const params: PromptRequest = { sessionId: id, prompt: [{ type: 'text', text: prompt }] };
    const { stopReason } = turnEnded.parse(await agent.request(methods.agent.session.prompt, params));
    return { kind: 'stopped', reason: stopReason };
  };

  const stopped = Promise.withResolvers<null>();
  const onAbort = () => stopped.resolve(null);
  stop.addEventListener('abort', onAbort);
  if (stop.aborted) onAbort();
  const turning = turn().catch((error: unknown): Ending => {
    if (error instanceof Misbehaved) return failed(error.message);
    if (connection.signal.aborted) return { kind: 'gone', stage };
    return failed(`${error instanceof RequestError ? refusalOf(error) : 'gave an answer of another form'} (${stage})`);
  });
  const ending = await Promise.race([turning, stopped.promise]);
  if (ending === null && sessionId !== null) {
    // Nobody waits for it: an agent that reads nothing would hold us.
    void agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
    const listening = new AbortController();
    const patience = sleep(CANCEL_MS, undefined, { signal: listening.signal }).catch(() => {});
    await Promise.race([turning, patience]);
    listening.abort();
  }
  stop.removeEventListener('abort', onAbort);
  connection.close();
  return ending ?? { kind: 'cancelled', stage };
}

function failed(detail: string): Ending {
  return { kind: 'failed', detail };
}

function refusalOf({ code, message, data }: RequestError): string {
  if (code === AUTH_REQUIRED) return `asks for authentication: ${message}`.slice(0, DETAIL_CHARACTERS);
  const more = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  return `answered with error ${code}: ${message}${more}`.slice(0, DETAIL_CHARACTERS);
}
