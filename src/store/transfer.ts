import { type Kysely, sql, type Transaction } from 'kysely';
import { ConflictError, NotFoundError } from '../errors.ts';
import { isUnled } from './lead.ts';
import { MIGRATIONS } from './migrate.ts';
import type { Tables } from './tables.ts';

/** A table that holds rows of campaigns, parents first. */
interface Carried {
  readonly name: string;
  /** The order in which its rows are written, and get new ids where they have any. */
  readonly order: string;
  /** Rows of one statement: those that hold files are large. */
  readonly page: number;
}

const MANY = 500;
const FEW = 10;

const CARRIED: readonly Carried[] = [
  { name: 'jobs', order: 'ordinal', page: FEW },
  { name: 'candidates', order: 'ordinal', page: MANY },
  { name: 'revisions', order: 'ordinal, round', page: FEW },
  { name: 'retained', order: 'island, batch', page: MANY },
  { name: 'seeds', order: 'id', page: MANY },
  { name: 'retries', order: 'id', page: MANY },
  { name: 'evaluations', order: 'ordinal, tree, split', page: FEW },
  { name: 'stages', order: 'tree, split, attempt, position', page: FEW },
  { name: 'trials', order: 'number', page: MANY },
  { name: 'finals', order: 'settled', page: MANY },
  { name: 'calls', order: 'id', page: MANY },
  { name: 'lessons', order: 'settled', page: MANY },
  { name: 'repository_vectors', order: 'provider, tree', page: MANY },
  { name: 'descriptors', order: 'ordinal', page: MANY },
  { name: 'projections', order: 'island, epoch', page: FEW },
  { name: 'placements', order: 'island, epoch, ordinal', page: MANY },
  { name: 'artifacts', order: 'id', page: FEW },
  { name: 'events', order: 'id', page: MANY },
];

/** The tables of an export, in the order in which they are read and written; `campaigns` has one row. */
export const CARRIED_TABLES: readonly string[] = ['campaigns', ...CARRIED.map(({ name }) => name)];

/** The migrations that this version knows, by which an export of a newer one is told. */
export const knownMigrations = (): string[] => Object.keys(MIGRATIONS).sort();

/**
 * Runs `read` on one state of the database, while nobody works on the campaign.
 * @throws ConflictError when somebody does.
 */
export async function atRest<T>(
  db: Kysely<Tables>,
  campaignId: number,
  read: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      if (!(await isUnled(trx, campaignId))) {
        throw new ConflictError('a process works on this campaign', {
          hint: 'stop that process, or wait until it ends',
        });
      }
      return read(trx);
    });
}

/** The rows that a campaign has in a table, each as one line of JSON that the database made: nothing is rounded on its way. */
export async function* carriedRows(db: Kysely<Tables>, campaignId: number, table: string): AsyncGenerator<string> {
  const { order, page } = carried(table);
  const owner = table === 'campaigns' ? sql`id` : sql`campaign_id`;
  for (let offset = 0; ; offset += page) {
    const { rows } = await sql<{ line: string }>`
      select row_to_json(chosen)::text as line from (
        select * from ${sql.table(table)} where ${owner} = ${campaignId}
        order by ${sql.raw(order)} limit ${page} offset ${offset}
      ) chosen`.execute(db);
    for (const { line } of rows) yield line;
    if (rows.length < page) return;
  }
}

/** Writes the row of a campaign; returns its id here. */
export async function carryCampaign(trx: Transaction<Tables>, row: string): Promise<number> {
  const columns = await columnsFor(trx, 'campaigns', row);
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const { rows } = await sql<{ id: number }>`
    insert into campaigns (${names}) select ${names} from json_populate_record(null::campaigns, ${row}::json)
    returning id`.execute(trx);
  const [made] = rows;
  if (made === undefined) throw new NotFoundError('the campaign was not written');
  return made.id;
}

/** Writes rows that `carriedRows` gave, for a campaign that `carryCampaign` made. Ids that the database gives are given anew, in their order. */
export async function carryRows(
  trx: Transaction<Tables>,
  campaignId: number,
  table: string,
  lines: AsyncIterable<string>,
): Promise<number> {
  const { page } = carried(table);
  let columns: readonly string[] | null = null;
  let count = 0;
  let batch: string[] = [];
  const write = async (): Promise<void> => {
    const [first] = batch;
    if (first === undefined) return;
    columns ??= await columnsFor(trx, table, first);
    const names = sql.join(columns.map((name) => sql.ref(name)));
    await sql`
      insert into ${sql.table(table)} (campaign_id, ${names})
      select ${campaignId}::integer, ${names}
      from json_populate_recordset(null::${sql.table(table)}, ${`[${batch.join(',')}]`}::json)`.execute(trx);
    count += batch.length;
    batch = [];
  };
  for await (const line of lines) {
    batch.push(line);
    if (batch.length >= page) await write();
  }
  await write();
  return count;
}

function carried(table: string): Carried {
  if (table === 'campaigns') return { name: table, order: 'id', page: 1 };
  const found = CARRIED.find(({ name }) => name === table);
  if (found === undefined) throw new NotFoundError(`${table} is no table of an export`);
  return found;
}

/** The columns of a row that are taken as they are; those that an older version did not have get their defaults. */
async function columnsFor(trx: Transaction<Tables>, table: string, line: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; made: boolean }>`
    select column_name as name, is_identity = 'YES' as made from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(trx);
  const written = Object.keys(JSON.parse(line));
  const unknown = written.filter((name) => !rows.some((column) => column.name === name));
  if (unknown.length > 0) throw new ConflictError(`${table} has no column ${unknown.join(', ')}`);
  return rows
    .filter(({ name, made }) => written.includes(name) && !made && name !== 'campaign_id')
    .map(({ name }) => name);
}
