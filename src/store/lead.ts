import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { InfrastructureError, InterruptedError, NotFoundError } from '../errors.ts';
import type { Tables } from './tables.ts';

/** The right to plan and settle a campaign, which one process has at a time. */
export interface Lead {
  readonly campaignId: number;
  /** Raised by every change of hands: what an earlier leader writes is refused by it. */
  readonly epoch: number;
  /** Aborted when the right is lost: another process may have it already. */
  readonly lost: AbortSignal;
  /** Calls `hear` when a worker elsewhere recorded something. */
  onNews(hear: () => void): void;
  release(): Promise<void>;
}

/** How the right is held: with a server by a session of its own, embedded by being the only process. */
export type LeadConnection = { readonly kind: 'pglite' } | { readonly kind: 'postgres'; readonly url: string };

/** The first key of our advisory locks on campaigns; the second is the campaign's id. */
const LEAD_LOCK = 0x6c656164;
const ASK_EVERY_MS = 1_000;
/** A session that does not answer within this is taken for lost. */
const ANSWER_MS = 5_000;

/** How somebody waits for the lead. */
export interface Waiting {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Somebody else has it. */
  readonly onWait: () => void;
  /** A leader that is silent for this long loses it. */
  readonly silenceSeconds: number;
}

/**
 * Takes the lead of a campaign as soon as nobody else has it: null when `signal` ends the waiting. With a server it is an advisory lock of a
 * session, which ends with its process. A host that is cut off is noticed by TCP keepalives, within about 15 seconds. The connection of a
 * process that is only suspended stays: its session is ended by the server when nothing is asked of it.
 * @throws NotFoundError when the campaign was forgotten meanwhile.
 */
export async function takeLead(
  connection: LeadConnection,
  db: Kysely<Tables>,
  campaignId: number,
  waiting: Waiting,
): Promise<Lead | null> {
  const session = connection.kind === 'postgres' ? await lockedSession(connection.url, campaignId, waiting) : EMBEDDED;
  if (session === null) return null;
  try {
    const row = await db
      .updateTable('campaigns')
      .set((eb) => ({ lead: eb('lead', '+', 1) }))
      .where('id', '=', campaignId)
      .returning('lead')
      .executeTakeFirst();
    if (row === undefined) throw new NotFoundError(`there is no campaign with the id ${campaignId}`);
    return { campaignId, epoch: row.lead, ...session };
  } catch (error) {
    await session.release();
    throw error;
  }
}

/**
 * Makes a transaction one of the present leader, or without a lead one of a time when there is none: until its end nobody takes over.
 * @throws InterruptedError when somebody did.
 */
export async function requireLead(
  trx: Transaction<Tables>,
  campaignId: number,
  lead: Pick<Lead, 'epoch'> | null,
): Promise<void> {
  const held = lead === null ? await isUnled(trx, campaignId) : await isLeader(trx, campaignId, lead.epoch);
  if (!held) throw new InterruptedError('another process took this campaign over');
}

async function isLeader(trx: Transaction<Tables>, campaignId: number, epoch: number): Promise<boolean> {
  const row = await trx
    .selectFrom('campaigns')
    .select('id')
    .where('id', '=', campaignId)
    .where('lead', '=', epoch)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether nobody plans and settles the campaign; then nobody begins to before the end of the transaction. */
export async function isUnled(trx: Transaction<Tables>, campaignId: number): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean;
  }>`select pg_try_advisory_xact_lock(${LEAD_LOCK}::integer, ${campaignId}::integer) as locked`.execute(trx);
  return rows[0]?.locked === true;
}

type Session = Pick<Lead, 'lost' | 'onNews' | 'release'>;

/** Nobody else is there. */
const EMBEDDED: Session = { lost: new AbortController().signal, onNews: () => {}, release: async () => {} };

async function lockedSession(
  url: string,
  campaignId: number,
  { signal, onWait, silenceSeconds }: Waiting,
): Promise<Session | null> {
  const lost = new AbortController();
  const client = new pg.Client({
    connectionString: url,
    application_name: 'clade lead',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  try {
    await client.connect();
    // The server's side of the same: without it a lock of a host that is cut off would stay for hours.
    await client.query(
      `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3; set tcp_user_timeout = 15000;
       set idle_session_timeout = '${Math.round(silenceSeconds * 1000)}ms'`,
    );
    await client.query(`listen ${channelOf(campaignId)}`);
    for (let asked = 0; !(await tryLock(client, campaignId)); asked += 1) {
      if (asked === 0) onWait();
      // An aborted wait is one that is over.
      await wait(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        await client.end();
        return null;
      }
    }
  } catch (cause) {
    await client.end().catch(() => undefined); // it may be the connection itself that failed
    throw new InfrastructureError('the database could not be asked for the lead of a campaign', { cause });
  }
  const pulse = setInterval(
    () => {
      client.query('select 1').catch(() => lost.abort());
    },
    Math.min(ANSWER_MS, (silenceSeconds * 1000) / 6),
  );
  pulse.unref();
  return {
    lost: lost.signal,
    onNews: (hear) => void client.on('notification', hear),
    async release() {
      clearInterval(pulse);
      // The end of the session ends its locks; one that is broken has none.
      await client.end().catch(() => undefined);
    },
  };
}

/** Tells whoever leads a campaign that something was recorded; heard when the transaction is committed. */
export async function tellLeader(trx: Transaction<Tables>, campaignId: number): Promise<void> {
  await sql`select pg_notify(${channelOf(campaignId)}, '')`.execute(trx);
}

function channelOf(campaignId: number): string {
  return `clade_lead_${campaignId}`;
}

async function tryLock(client: pg.Client, campaignId: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [
    LEAD_LOCK,
    campaignId,
  ]);
  return rows[0]?.locked === true;
}
