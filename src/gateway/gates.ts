import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, createGate, type Gate } from './gate.ts';
import type { Provider } from './provider.ts';

/**
 * The gates of all providers that a process calls, whichever campaign asks: a rate limit, a pause that a provider asks for and an empty
 * account belong to an address and a key.
 */
export interface Gates {
  /** The gate of a provider; its width is what was said last, because a campaign's file may change while it runs. */
  of(provider: Provider): Gate;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
};

export function createGates(clock: Clock = CLOCK): Gates {
  const gates = new Map<string, Gate>();
  return {
    of({ baseUrl, apiKeyEnv, concurrency }) {
      const key = `${apiKeyEnv ?? ''} ${baseUrl}`;
      const known = gates.get(key);
      known?.resize(concurrency);
      const gate = known ?? createGate(concurrency, clock);
      gates.set(key, gate);
      return gate;
    },
  };
}
