import { type Campaign, type Receiver, receiverKey } from '../../config/index.ts';
import { InfrastructureError, InterruptedError } from '../../errors.ts';
import { appendEvents, bestBefore, type EventRow, nextToTell, noteTold, type Store, TOLD } from '../../store/index.ts';
import { errorText } from '../error-text.ts';
import { type Clock, createFaults } from '../faults.ts';
import { leading } from '../leading.ts';
import { createWake, type Wake } from '../wake.ts';
import { deliver, nameOf } from './deliver.ts';
import type { AsLeader } from './leader.ts';
import { kindsOf, messageOf } from './message.ts';

export interface PostDeps {
  readonly store: Pick<Store, 'db' | 'bell'>;
  readonly campaignId: number;
  readonly campaign: Pick<Campaign, 'name' | 'directory' | 'notify'>;
  /** For HOME and TMPDIR of commands. */
  readonly folder: string;
  readonly asLeader: AsLeader;
  /** Ends everything at once: what was not taken is told by the next post. */
  readonly signal: AbortSignal;
  readonly onWarning: (warning: string) => void;
  /** How often an event is tried before it is given up; default: 20 times, which takes about seven minutes. */
  readonly attempts?: number;
  readonly clock?: Clock;
}

/** Tells those who want to know what happens, until it is closed. */
export interface Post {
  /** Tells what is due, each receiver within its timeout, and ends; what is not taken by then is told by the next post. */
  close(): Promise<void>;
}

const ATTEMPTS = 20;
/** Between two looks where nothing is announced: an announcement may get lost. */
const LOOK_MS = 30_000;

/**
 * Tells each receiver of a campaign of the events that it wants to know, one after the other in their order, at least once: the cursor moves
 * when a message was taken. Receivers do not wait for one another, and nothing waits for them.
 */
export function openPost(deps: PostDeps): Post {
  const { store, campaignId, campaign, signal, onWarning } = deps;
  const closing = new AbortController();
  const news = campaign.notify.map(createWake);
  const wakeAll = (): void => {
    for (const wake of news) wake.wake();
  };
  const ends = [signal, closing.signal];
  for (const end of ends) end.addEventListener('abort', wakeAll, { once: true });
  const kinds: ReadonlySet<string> = new Set(TOLD);
  const deaf =
    news.length === 0
      ? null
      : store.bell.subscribe((heard) => {
          if (heard === null || (heard.campaignId === campaignId && heard.kinds.some((kind) => kinds.has(kind))))
            wakeAll();
        });
  const telling = campaign.notify.map((receiver, index) =>
    tell(deps, receiver, { closing: closing.signal, news: news[index] ?? createWake() }).catch((error) =>
      onWarning(`${nameOf(receiver)} is told no more: ${errorText(error)}`),
    ),
  );
  return {
    async close() {
      closing.abort();
      await Promise.all(telling);
      deaf?.();
      for (const end of ends) end.removeEventListener('abort', wakeAll);
    },
  };
}

/** What the loop of one receiver is woken by, and told to end by. */
interface Call {
  readonly closing: AbortSignal;
  readonly news: Wake;
}

/** The loop of one receiver, until it is told to end. @throws what nobody foresaw. */
async function tell(deps: PostDeps, receiver: Receiver, { closing, news }: Call): Promise<void> {
  const { signal, clock, onWarning } = deps;
  const stop = new AbortController();
  const over = AbortSignal.any([signal, stop.signal]);
  let timer: NodeJS.Timeout | undefined;
  /** Of the event that is tried now. */
  let faults = createFaults(clock);
  const outage = createFaults(clock);
  const hurry = (): void => {
    timer = setTimeout(() => stop.abort(), receiver.timeoutMs);
    faults = createFaults(clock);
  };
  if (closing.aborted) hurry();
  closing.addEventListener('abort', hurry, { once: true });
  try {
    while (!over.aborted) {
      // What was written before it was told to close is still to be seen: the last look begins after that.
      const last = closing.aborted;
      const patience = last ? over : AbortSignal.any([over, closing]);
      const step = await tryNext({ ...deps, signal: over }, receiver, faults.count + 1);
      if (step.kind === 'over') return;
      if (step.kind === 'away') {
        if (last) return;
        await outage.strike(step.reason, patience);
        continue;
      }
      outage.clear();
      if (step.kind === 'nothing') {
        if (last) return;
        await news.sleep(LOOK_MS);
      } else if (step.kind === 'told') {
        faults.clear();
      } else if (!over.aborted) {
        if (faults.count === 0) onWarning(step.reason);
        await faults.strike(step.reason, patience);
      }
    }
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', hurry);
  }
}

/** `away`: the database could not be asked. `over`: another process leads. */
type Step =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'told' }
  | { readonly kind: 'over' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string };

/** Tells the next event, if there is one. */
async function tryNext(deps: PostDeps, receiver: Receiver, attempt: number): Promise<Step> {
  const { store, campaignId, asLeader } = deps;
  const next = () => nextToTell(store.db, { campaignId, receiver: receiverKey(receiver) }, kindsOf(receiver.on));
  try {
    if ((await next()) === undefined) return { kind: 'nothing' };
    const step = await asLeader(async (lead): Promise<Step> => {
      // Again: somebody else may have told it meanwhile.
      const event = await next();
      if (event === undefined) return { kind: 'nothing' };
      return tellOf({ ...deps, lead }, receiver, event, attempt);
    });
    // Whoever leads tells it.
    return step ?? { kind: 'nothing' };
  } catch (error) {
    if (error instanceof InterruptedError) return { kind: 'over' };
    if (error instanceof InfrastructureError) return { kind: 'away', reason: error.message };
    throw error;
  }
}

type Led = PostDeps & { readonly lead: Parameters<Parameters<AsLeader>[0]>[0] };

async function tellOf(deps: Led, receiver: Receiver, event: EventRow, attempt: number): Promise<Step> {
  const { store, campaignId, campaign, folder, signal, attempts = ATTEMPTS, onWarning } = deps;
  const best = await bestBefore(store.db, campaignId, event.id);
  const place = { directory: campaign.directory, folder, signal };
  const reason = await deliver(receiver, messageOf(campaign, event, best), place);
  const name = nameOf(receiver);
  if (signal.aborted && reason !== null) return { kind: 'failed', reason };
  if (reason !== null && attempt < attempts) {
    return {
      kind: 'failed',
      reason: `${name} was not told of ${event.kind} (event ${event.id}): ${reason}; trying again`,
    };
  }
  await leading(deps, async (trx) => {
    await noteTold(trx, { campaignId, receiver: receiverKey(receiver) }, event.id);
    if (reason === null) return;
    const data = { receiver: name, event: event.id, kind: event.kind, attempts: attempt, message: reason };
    await appendEvents(trx, [{ campaignId, kind: 'notify.failed', ordinal: event.ordinal, data }]);
  });
  if (reason !== null)
    onWarning(`${name} was not told of ${event.kind} (event ${event.id}), which is given up: ${reason}`);
  return { kind: 'told' };
}
