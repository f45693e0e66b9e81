import { type Answer, failureAnswer } from './answer.ts';
import type { CallRecord } from './call.ts';
import { forward } from './forward.ts';
import { createGates, type Gates } from './gates.ts';
import type { Provider } from './provider.ts';
import { type Inbound, parseTarget } from './request.ts';
import { createTicket, type Holder, type Ticket } from './ticket.ts';
import { PATIENCE, type Patience } from './upstream.ts';
import { wireOf } from './wire/registry.ts';

export interface GatewayOptions {
  readonly providers: readonly Provider[];
  /** Where keys are looked up, by name. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told of every call when it is over. */
  readonly onCall: (call: CallRecord) => Promise<void>;
  readonly patience?: Partial<Patience>;
  /** Shared by all gateways of a process; default: its own. */
  readonly gates?: Gates;
}

/** The one way for model calls: keys, metering, budgets, rate limits, recording. */
export interface Gateway {
  /** The right to make calls; void after `revoke`. */
  issue(holder: Holder): Ticket;
  revoke(ticket: Ticket): void;
  /** Makes a call. What is wrong with it, or with the provider, is an answer that says so. */
  call(inbound: Inbound, signal: AbortSignal): Promise<Answer>;
  /** Lets calls to all providers go again: somebody mended what was wrong. */
  open(): void;
}

export function createGateway({
  providers,
  environment,
  onCall,
  patience,
  gates = createGates(),
}: GatewayOptions): Gateway {
  const deps = { environment, onCall, patience: { ...PATIENCE, ...patience } };
  const tickets = new Map<string, Ticket>();
  const servers = new Map(providers.map((provider) => [provider.name, { provider, gate: gates.of(provider) }]));
  return {
    issue(holder) {
      const ticket = createTicket(holder);
      tickets.set(ticket.secret, ticket);
      return ticket;
    },
    revoke: (ticket) => void tickets.delete(ticket.secret),
    async call(inbound, signal) {
      const address = parseTarget(inbound.target);
      const ticket = address === null ? undefined : tickets.get(address.secret);
      if (address === null || ticket === undefined) return failureAnswer(401, 'no ticket for this address');
      const { provider: name, path, query } = address;
      const server = servers.get(name);
      if (server === undefined) return failureAnswer(404, `no provider is called ${name}`);
      const wire = wireOf(path);
      if (wire === undefined || inbound.method !== 'POST') {
        return failureAnswer(404, `${inbound.method} ${path} is not a model call that can be metered`);
      }
      return forward({ inbound, ticket, wire, path, query, ...server }, deps, signal);
    },
    open() {
      for (const { gate } of servers.values()) gate.open();
    },
  };
}
