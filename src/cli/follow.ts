import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type CladeApi, createWake, databaseApi, type EventView } from '../daemon/index.ts';
import { CladeError } from '../errors.ts';
import { workspaceFolders } from '../pipeline/index.ts';
import { openStore } from '../store/index.ts';
import { type Following, findAddress, followEvents, httpApi } from '../web/index.ts';
import { databaseUrl, type GlobalOptions } from './context.ts';

/** Between two looks for somebody who can tell. */
const SEARCH_MS = 500;
const LOOK_MS = 5_000;
/** The least time between two looks. */
const GAP_MS = 200;
const PAGE = 100;

/** Which events, and until when. */
export interface Followed extends Omit<Following, 'after'> {
  /** The id of the last event seen; absent: from now on. */
  readonly after: number | undefined;
  /** Between two looks at a database which announces what happens: an announcement may get lost. Default: 5 s. */
  readonly lookMs?: number;
}

/** Where a reader is; undefined until it is known where now is. */
interface Place {
  after: number | undefined;
}

/**
 * The events of a campaign as they happen: told by the process that serves the workspace, else by the server of the database. Whoever tells
 * may go away and come again; the embedded database is nobody's to open for so long.
 */
export async function* eventsOf(
  options: Pick<GlobalOptions, 'workspace'>,
  followed: Followed,
): AsyncGenerator<EventView> {
  const { name, signal } = followed;
  const workspace = resolve(options.workspace);
  const place: Place = { after: followed.after };
  while (!signal.aborted) {
    try {
      const address = await findAddress(workspaceFolders(workspace).address);
      if (address === null) yield* eventsOfServer(workspace, followed, place);
      else {
        const after = place.after ?? (await latest(httpApi(address), name));
        place.after = after;
        for await (const event of followEvents(address, { name, after, signal })) {
          place.after = event.id;
          yield event;
        }
      }
    } catch (error) {
      // Whoever told is ending, or the database is away: nothing is lost by asking later.
      if (!(error instanceof CladeError && (error.code === 'infrastructure' || error.code === 'conflict'))) throw error;
    }
    // Woken by a signal it rejects; the loop looks at it.
    await wait(SEARCH_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** None where there is no server. */
async function* eventsOfServer(
  workspace: string,
  { name, signal, lookMs = LOOK_MS }: Followed,
  place: Place,
): AsyncGenerator<EventView> {
  const server = databaseUrl();
  if (server.databaseUrl === undefined) return;
  const store = await openStore({ workspace, label: 'clade log', ...server });
  const news = createWake();
  const deaf = store.bell.subscribe(news.wake);
  signal.addEventListener('abort', news.wake);
  try {
    const api = databaseApi(store.db, workspace);
    place.after ??= await latest(api, name);
    while (!signal.aborted) {
      const events = await api.events(name, { after: place.after, limit: PAGE });
      for (const event of events) {
        place.after = event.id;
        yield event;
      }
      if (events.length === PAGE) continue;
      await news.sleep(lookMs);
      await wait(GAP_MS, undefined, { signal }).catch(() => undefined); // the loop looks at the signal
    }
  } finally {
    signal.removeEventListener('abort', news.wake);
    deaf();
    await store.close();
  }
}

async function latest(api: CladeApi, name: string): Promise<number> {
  return (await api.events(name, { limit: 1, latest: true }))[0]?.id ?? 0;
}
