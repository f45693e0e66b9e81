import { type Kysely, sql, type Transaction } from 'kysely';
import { storable, toJson } from './json.ts';
import type { EvaluationRow, FinalRow, Split, Tables } from './tables.ts';

/** Finals that begin: who is in them is fixed now, whatever is settled while they are measured. */
export interface NewFinals {
  /** Settled jobs, the root not counted: one choice for each number of them. */
  readonly settled: number;
  /** Ordinals, the root among them. */
  readonly finalists: readonly number[];
  readonly closing: boolean;
}

export async function beginFinals(trx: Transaction<Tables>, campaignId: number, begun: NewFinals): Promise<void> {
  await trx
    .insertInto('finals')
    .values({ ...begun, campaignId, finalists: toJson(begun.finalists) })
    .execute();
}

/** A checkpoint at which the campaign came to its end after all. */
export async function closeFinals(trx: Transaction<Tables>, campaignId: number, settled: number): Promise<void> {
  await trx
    .updateTable('finals')
    .set({ closing: true })
    .where('campaignId', '=', campaignId)
    .where('settled', '=', settled)
    .execute();
}

/** The choice and the campaign's winner. False, and nothing written, when it was decided before. */
export async function decideFinals(
  trx: Transaction<Tables>,
  campaignId: number,
  { settled, winner, reason }: { readonly settled: number; readonly winner: number; readonly reason: string },
): Promise<boolean> {
  const decided = await trx
    .updateTable('finals')
    .set({ winner, reason: storable(reason) })
    .where('campaignId', '=', campaignId)
    .where('settled', '=', settled)
    .where('winner', 'is', null)
    .executeTakeFirst();
  if (decided.numUpdatedRows !== 1n) return false;
  await trx.updateTable('campaigns').set({ winner, updatedAt: new Date() }).where('id', '=', campaignId).execute();
  return true;
}

/** The finals of a campaign, by settled jobs. */
export async function listFinals(db: Kysely<Tables>, campaignId: number): Promise<FinalRow[]> {
  return db.selectFrom('finals').selectAll().where('campaignId', '=', campaignId).orderBy('settled').execute();
}

/** What the latest finals came to. */
export interface LatestChoice extends Pick<FinalRow, 'settled' | 'closing' | 'reason'> {
  /** Of the winner. */
  readonly ordinal: number;
  readonly commit: string;
  readonly title: string | null;
}

/** Undefined before any finals chose a winner. */
export async function latestChoice(db: Kysely<Tables>, campaignId: number): Promise<LatestChoice | undefined> {
  return db
    .selectFrom('finals')
    .innerJoin('jobs', (join) =>
      join.onRef('jobs.campaignId', '=', 'finals.campaignId').onRef('jobs.ordinal', '=', 'finals.winner'),
    )
    .innerJoin('candidates', (join) =>
      join.onRef('candidates.campaignId', '=', 'jobs.campaignId').onRef('candidates.ordinal', '=', 'jobs.ordinal'),
    )
    .select(['finals.settled', 'finals.closing', 'finals.reason', 'jobs.ordinal', 'candidates.commit', 'jobs.title'])
    .where('finals.campaignId', '=', campaignId)
    .orderBy('finals.settled', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The columns of an evaluation that a choice looks at: all of them are small. */
const CHOICE_COLUMNS = [
  'state',
  'status',
  'kind',
  'summary',
  'scores',
  'objectives',
  'intervals',
  'metrics',
  'identity',
] as const satisfies readonly (keyof EvaluationRow)[];

export type SplitEvaluation = Pick<EvaluationRow, (typeof CHOICE_COLUMNS)[number]>;

/** The evaluations of some candidates on one split, by ordinal; one that nobody asked for is not in the map. */
export async function evaluationsOn(
  db: Kysely<Tables>,
  campaignId: number,
  split: Split,
  ordinals: readonly number[],
): Promise<Map<number, SplitEvaluation>> {
  if (ordinals.length === 0) return new Map();
  const rows = await db
    .selectFrom('candidates')
    .innerJoin('evaluations', (join) =>
      join
        .onRef('evaluations.campaignId', '=', 'candidates.campaignId')
        .onRef('evaluations.tree', '=', 'candidates.tree')
        .on('evaluations.split', '=', split),
    )
    .select(CHOICE_COLUMNS.map((column) => `evaluations.${column}` as const))
    .select('candidates.ordinal as of')
    .where('candidates.campaignId', '=', campaignId)
    .where('candidates.ordinal', 'in', ordinals)
    .execute();
  return new Map(rows.map(({ of, ...row }) => [of, row]));
}

/** How often the splits that the search does not see were looked at: one look is one candidate measured on it. */
export type Looks = Readonly<Record<Exclude<Split, 'train'>, number>>;

/** The kind of the event that every look leaves; fresh measurements on train leave it too. */
export const SPLIT_USED = 'split.used';

export async function countLooks(db: Kysely<Tables>, campaignId: number): Promise<Looks> {
  const looks = { validation: 0, holdout: 0 };
  const rows = await db
    .selectFrom('events')
    .select(sql<keyof Looks>`data ->> 'split'`.as('split'))
    .select((eb) => eb.fn.countAll<number>().as('times'))
    .where('campaignId', '=', campaignId)
    .where('kind', '=', sql.lit(SPLIT_USED))
    .where(sql<string>`data ->> 'split'`, '<>', 'train')
    .groupBy('split')
    .execute();
  for (const { split, times } of rows) looks[split] = times;
  return looks;
}
