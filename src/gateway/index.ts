/**
 * The one way for model calls, ours and the agents': it holds the keys, meters what is used, keeps to budgets and rate limits, and
 * records.
 *
 * - `createGateway`  tickets and calls; `createGates`, who may call a provider and when, for all campaigns of a process
 * - `serveGateway`   the same on a Unix socket, for agents in sandboxes; `FORWARDER` is the program that leads there
 * - `clientOf`       the same as a `fetch`, for clients in this process
 * - `createBudget`   what may be spent: reserved before a call, settled after it
 * - `priceOf`, `costOf`, `PRICES_AS_OF`   what tokens cost
 * - `parseJson`      a JSON text, or nothing where it is none
 * - `retryAfterMs`   how long a server asks to be left alone
 * - `wire/`          the protocols: OpenAI Responses, Chat Completions and Embeddings, Anthropic Messages, Gemini
 */
import { extname, join } from 'node:path';

export type { Answer } from './answer.ts';
export { type Allowance, type Budget, createBudget, type Reservation, type Spending } from './budget.ts';
export type { CallRecord } from './call.ts';
export { clientOf } from './client.ts';
export { createGates, type Gates } from './gates.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { parseJson } from './json.ts';
export { costOf, PRICES_AS_OF, type Price, priceOf } from './prices.ts';
export type { Provider } from './provider.ts';
export { retryAfterMs } from './refusal.ts';
export { type GatewayServer, serveGateway } from './server.ts';
export type { CallFault, Holder, Ticket } from './ticket.ts';
export type { Patience } from './upstream.ts';
export type { TokenUsage } from './usage.ts';

/** Absolute path of the program that leads from a sandbox to the gateway's socket. */
export const FORWARDER = join(import.meta.dirname, `forwarder${extname(import.meta.filename)}`);
