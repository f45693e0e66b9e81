import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CladeApi, EventView } from '../../daemon/index.ts';
import { ConflictError, InfrastructureError } from '../../errors.ts';
import { workspaceFolders } from '../../pipeline/index.ts';
import { findAddress } from '../../web/index.ts';
import { databaseUrl, type GlobalOptions, withApi } from '../context.ts';
import { print, table } from '../output.ts';

export interface LogOptions extends GlobalOptions {
  readonly limit?: number;
  readonly after?: number;
  /** Goes on with what happens until a signal ends it. */
  readonly follow?: boolean;
}

/** Between two looks for new events: one query by its index. */
const LOOK_MS = 500;
const PAGE = 100;

/** The events of a campaign after one of them, oldest first. */
export async function log(options: LogOptions, name: string): Promise<number> {
  if (options.follow === true) return follow(options, name);
  return withApi(options, 'log', async (api) => {
    const events = await api.events(name, { after: options.after ?? 0, limit: options.limit ?? 100 });
    print(events, options.json, (page) =>
      table(
        ['id', 'at', 'event', 'job', 'data'],
        page.map(({ id, at, kind, ordinal, data }) => [id, at, kind, ordinal, shown(data)]),
      ),
    );
    return 0;
  });
}

/** One line an event, from `--after` or from now on. A process that goes away, or comes, is waited for. */
async function follow(options: LogOptions, name: string): Promise<number> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  let after = options.after;
  const read = async (api: CladeApi): Promise<EventView[]> => {
    after ??= (await api.events(name, { limit: 1, latest: true }))[0]?.id ?? 0;
    return api.events(name, { after, limit: PAGE });
  };
  try {
    while (!stop.signal.aborted) {
      const events = (await isShared(options)) ? await withApi(options, 'log', read).catch(none) : [];
      for (const event of events) process.stdout.write(`${options.json ? JSON.stringify(event) : line(event)}\n`);
      after = events.at(-1)?.id ?? after;
      // Woken by a signal it rejects; the loop looks at it.
      if (events.length < PAGE) await wait(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    return 130;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

/** Whether there is somebody to ask: opening the embedded database again and again would keep it from whoever wants to run. */
async function isShared({ workspace }: GlobalOptions): Promise<boolean> {
  if (databaseUrl().databaseUrl !== undefined) return true;
  return (await findAddress(workspaceFolders(resolve(workspace)).address)) !== null;
}

/** Whoever served is ending, or the database is away: nothing is lost by asking later. */
function none(error: unknown): EventView[] {
  if (error instanceof InfrastructureError || error instanceof ConflictError) return [];
  throw error;
}

function line({ id, at, kind, ordinal, data }: EventView): string {
  return `${id}  ${at}  ${kind}${ordinal === null ? '' : `  job ${ordinal}`}  ${shown(data)}`;
}

function shown(data: unknown): string {
  return JSON.stringify(data).slice(0, 100);
}
