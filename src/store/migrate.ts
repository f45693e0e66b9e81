import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConflictError, InfrastructureError } from '../errors.ts';
import * as first from './migrations/0001-first.ts';
import * as workers from './migrations/0002-workers.ts';

/** In order of their names; one that was released is never changed again. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_first': first,
  '0002_workers': workers,
};

const TABLE = 'migrations';

/**
 * Brings the schema up to date: all new migrations in one transaction, under a lock, so that an interrupted one leaves nothing
 * and two processes do not run it twice.
 *
 * @throws ConflictError when the database was made by a newer Clade.
 */
export async function migrate<Database>(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<void> {
  const known = Object.keys(migrations).sort();
  const done = await executed(db);
  const unknown = done.filter((name) => !known.includes(name)).at(-1);
  if (unknown !== undefined) {
    throw new ConflictError(
      `the database has migration ${unknown}, this Clade knows up to ${known.at(-1) ?? 'none'}: upgrade Clade`,
    );
  }
  if (done.length === known.length) return;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: TABLE,
    migrationLockTableName: 'migrations_lock',
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw new InfrastructureError('the database schema could not be brought up to date', { cause: error });
}

async function executed<Database>(db: Kysely<Database>): Promise<string[]> {
  const found = await sql<{ present: boolean }>`select to_regclass(${TABLE}) is not null as present`.execute(db);
  if (found.rows[0]?.present !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)} order by name`.execute(db);
  return rows.map((row) => row.name);
}
