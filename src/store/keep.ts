import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Jobs whose bulk may go: settled ones up to an ordinal, but for some. */
export interface Spared {
  readonly campaignId: number;
  readonly upTo: number;
  readonly spared: readonly number[];
}

/** How much there was. */
export interface Bulk {
  readonly items: number;
  readonly bytes: number;
}

/** The ordinal up to which jobs are older than the newest `count` that are settled; −1 when none is. */
export async function olderThan(db: Kysely<Tables>, campaignId: number, count: number): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('settlement', 'is not', null)
    .orderBy('ordinal', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst();
  return row?.ordinal ?? -1;
}

const old = ({ campaignId, upTo, spared }: Spared) =>
  sql<boolean>`campaign_id = ${campaignId} and ordinal <= ${upTo} and not ordinal = any (${[...spared]}::integer[])`;
const settled = sql`exists (select 1 from jobs as own where own.campaign_id = artifacts.campaign_id
  and own.ordinal = artifacts.ordinal and own.settlement is not null)`;

/** Whether any job, evaluation or trial of a campaign is under way. Embedded it is the only way to see it: nobody holds a lock there. */
export async function isWorkedOn(db: Kysely<Tables>, campaignId: number): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from jobs where campaign_id = ${campaignId} and state = 'generating')
      or exists (select from evaluations where campaign_id = ${campaignId} and state = 'running')
      or exists (select from trials where campaign_id = ${campaignId} and state = 'running') as busy`.execute(db);
  return rows[0]?.busy === true;
}

/** What evaluations left. */
export async function oldArtifacts(db: Kysely<Tables>, which: Spared): Promise<Bulk> {
  return bulk(
    db,
    sql`select count(*) as items, coalesce(sum(size), 0) as bytes from artifacts where ${old(which)} and ${settled}`,
  );
}

export async function dropArtifacts(trx: Transaction<Tables>, which: Spared): Promise<void> {
  await sql`update jobs set tidied_at = now() where campaign_id = ${which.campaignId} and ordinal in (
    select ordinal from artifacts where ${old(which)} and ${settled})`.execute(trx);
  await sql`delete from artifacts where ${old(which)} and ${settled}`.execute(trx);
}

/** What agents were told and said, in all rounds. */
export async function oldTranscripts(db: Kysely<Tables>, which: Spared): Promise<Bulk> {
  return bulk(
    db,
    sql`select count(*) as items, coalesce(sum(bytes), 0) as bytes from (
      select coalesce(octet_length(brief), 0) + coalesce(octet_length(transcript), 0) as bytes from jobs
      where ${old(which)} and settlement is not null and (brief is not null or transcript is not null)
      union all
      select coalesce(octet_length(brief), 0) + coalesce(octet_length(transcript), 0) as bytes from revisions
      where ${old(which)} and (brief is not null or transcript is not null)
    ) as texts`,
  );
}

export async function dropTranscripts(trx: Transaction<Tables>, which: Spared): Promise<void> {
  await sql`update jobs set brief = null, transcript = null, tidied_at = now()
    where ${old(which)} and settlement is not null and (brief is not null or transcript is not null)`.execute(trx);
  await sql`update revisions set brief = null, transcript = null
    where ${old(which)} and (brief is not null or transcript is not null)`.execute(trx);
}

/** The recordings of calls that old jobs made, as names in the folder of recordings. */
export async function oldRecordings(db: Kysely<Tables>, which: Spared): Promise<string[]> {
  const rows = await db
    .selectFrom('calls')
    .select('recording')
    .where(old(which))
    .where('recording', 'is not', null)
    .execute();
  return rows.flatMap(({ recording }) => recording ?? []);
}

/** Says that recordings are gone. */
export async function forgetRecordings(
  trx: Transaction<Tables>,
  campaignId: number,
  names: readonly string[],
): Promise<void> {
  await sql`update calls set recording = null where campaign_id = ${campaignId} and recording = any (${[...names]}::text[])`.execute(
    trx,
  );
}

/** Gives the space of rows that are gone to later ones; the embedded database does it at no other time. */
export async function reclaimSpace(db: Kysely<Tables>): Promise<void> {
  for (const table of ['artifacts', 'jobs', 'revisions', 'calls']) await sql`vacuum ${sql.table(table)}`.execute(db);
}

async function bulk(db: Kysely<Tables>, query: ReturnType<typeof sql>): Promise<Bulk> {
  const { rows } = await (query as ReturnType<typeof sql<Bulk>>).execute(db);
  const [row] = rows;
  return { items: Number(row?.items ?? 0), bytes: Number(row?.bytes ?? 0) };
}
