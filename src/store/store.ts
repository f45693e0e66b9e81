import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { ConfigurationError, InfrastructureError } from '../errors.ts';
import { type Bell, createBell } from './bell.ts';
import { openPglite, openPostgres } from './connection.ts';
import { type Lead, takeLead, type Waiting } from './lead.ts';
import { lockWorkspace } from './lock.ts';
import { migrate } from './migrate.ts';
import { openQueue, type Queue, type QueueConnection, type QueueReports } from './queue.ts';
import type { Tables } from './tables.ts';

export interface StoreOptions {
  /** The folder that holds `.clade/`. */
  readonly workspace: string;
  /** `postgres://…`; absent means the embedded database in `<workspace>/.clade/db`. */
  readonly databaseUrl?: string;
  /** What this process is, for the message that others get: "clade run zstd". */
  readonly label: string;
  /** Take the workspace lock with a server too: the daemon does, of which there may be one a workspace. */
  readonly exclusive?: boolean;
  /** Hears of connections that broke while nobody used them. Default: ignored, the next query will tell. */
  readonly onError?: (error: Error) => void;
}

export interface Store {
  readonly kind: 'pglite' | 'postgres';
  readonly db: Kysely<Tables>;
  /** Starts pg-boss the first time, and returns the same queue from then on: commands that only read do without. */
  startQueue(reports: QueueReports): Promise<Queue>;
  /** The right to plan and settle a campaign, as soon as nobody else has it; null when `signal` ends the waiting. */
  lead(campaignId: number, waiting: Waiting): Promise<Lead | null>;
  /** Tells of events as they are committed, by whatever process. */
  readonly bell: Pick<Bell, 'subscribe'>;
  /** Stops the queue, closes the database and lets go of the workspace, in this order. May be called twice. */
  close(): Promise<void>;
}

/**
 * Opens the shared state and brings its schema up to date. The embedded database serves one process: the workspace is locked.
 *
 * @throws ConflictError when another process holds the workspace, or the schema is newer than this program.
 * @throws ConfigurationError when the URL is not one of PostgreSQL.
 * @throws InfrastructureError when the database cannot be opened.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl } = options;
  if (databaseUrl !== undefined) checkUrl(databaseUrl);
  const home = join(options.workspace, '.clade');
  const lock =
    databaseUrl === undefined || options.exclusive === true
      ? lockWorkspace(join(home, 'lock'), options.label)
      : undefined;
  try {
    const opened = databaseUrl === undefined ? await embedded(join(home, 'db')) : server(databaseUrl, options.onError);
    try {
      await migrate(opened.db);
    } catch (error) {
      await opened.db.destroy();
      throw error;
    }
    return assemble(opened.db, opened.connection, () => lock?.release());
  } catch (error) {
    lock?.release();
    throw error;
  }
}

interface Opened {
  readonly db: Kysely<Tables>;
  readonly connection: QueueConnection;
}

async function embedded(directory: string): Promise<Opened> {
  mkdirSync(directory, { recursive: true });
  try {
    const { db, pglite } = await openPglite(directory);
    return { db, connection: { kind: 'pglite', pglite } };
  } catch (error) {
    throw new InfrastructureError(`the embedded database in ${directory} cannot be opened`, { cause: error });
  }
}

function server(url: string, onError: (error: Error) => void = () => {}): Opened {
  return { db: openPostgres(url, onError), connection: { kind: 'postgres', url } };
}

function checkUrl(url: string): void {
  const parsed = URL.parse(url);
  // The URL itself is not repeated: it holds a password.
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw new ConfigurationError('the database URL must begin with postgres://', {
      hint: 'CLADE_DATABASE_URL=postgres://user:password@host:5432/database',
    });
  }
}

function assemble(db: Kysely<Tables>, connection: QueueConnection, unlock: () => void): Store {
  let queue: Promise<Queue> | undefined;
  let closing: Promise<void> | undefined;
  const bell = createBell(connection);
  const shut = async () => {
    try {
      const started = await queue;
      await started?.stop();
      await bell.close();
      await db.destroy();
    } finally {
      unlock();
    }
  };
  return {
    kind: connection.kind,
    db,
    bell,
    startQueue(reports) {
      queue ??= openQueue(connection, reports);
      return queue;
    },
    lead: (campaignId, waiting) => takeLead(connection, db, campaignId, waiting),
    close() {
      closing ??= shut();
      return closing;
    },
  };
}
