import { hostname } from 'node:os';
import { machineLabel } from '../process/index.ts';
import {
  beat,
  buryPredecessors,
  type Claimant,
  registerWorker,
  retireWorker,
  type Store,
  type WorkerRole,
} from '../store/index.ts';

/** This process among those that work on campaigns. */
export interface Presence {
  /** Who claims, as of now. */
  readonly claimant: Claimant;
  /** Aborted when the others take it for dead: what it holds is void. The next one is `renewed`. */
  readonly lost: AbortSignal;
  /** Registers anew after it was lost; else nothing happens. */
  renew(): Promise<void>;
  /** What this machine suffers from, by campaign id, told with the next beat; empty when it is well. */
  ail(faults: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

export interface PresenceOptions {
  readonly workspace: string;
  readonly version: string;
  readonly roles: readonly WorkerRole[];
  /** What measures alike; default: `machineLabel`. */
  readonly label?: string;
  /** Hears of a beat that did not get through. */
  readonly onError?: (error: Error) => void;
}

/**
 * A worker that was silent for this long is taken for dead; it beats six times as often. `CLADE_LEASE_SECONDS` (at least 3) changes it, for
 * all processes of a database alike.
 */
export function leaseSeconds(): number {
  const given = Number(process.env.CLADE_LEASE_SECONDS);
  return Number.isFinite(given) && given >= 3 ? given : 30;
}

/**
 * Registers this process, which holds the lock of its workspace: earlier workers of it are dead. The embedded database has no other process,
 * so there nobody listens and nothing beats.
 */
export async function openPresence(
  store: Pick<Store, 'kind' | 'db'>,
  { workspace, version, roles, label = machineLabel(), onError = () => {} }: PresenceOptions,
): Promise<Presence> {
  const me = { host: hostname(), label, workspace, pid: process.pid, version, roles };
  await buryPredecessors(store.db, me);
  let worker = await registerWorker(store.db, me);
  let lost = new AbortController();
  let faults: Readonly<Record<string, string>> = {};
  let told = faults;
  const pulse = async (): Promise<void> => {
    if (lost.signal.aborted || (store.kind === 'pglite' && told === faults)) return;
    told = faults;
    if (!(await beat(store.db, worker, faults))) lost.abort();
  };
  // A database that is away is waited for; if it is away for long the beat that gets through says so.
  const timer = setInterval(() => void pulse().catch(onError), (leaseSeconds() * 1000) / 6);
  timer.unref();
  return {
    get claimant() {
      return { worker, label };
    },
    get lost() {
      return lost.signal;
    },
    async renew() {
      if (!lost.signal.aborted) return;
      worker = await registerWorker(store.db, me);
      lost = new AbortController();
    },
    ail(what) {
      faults = what;
    },
    async close() {
      clearInterval(timer);
      await retireWorker(store.db, worker);
    },
  };
}
