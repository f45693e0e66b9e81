import { type PGlite, types as pgliteTypes } from '@electric-sql/pglite';
import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import pg from 'pg';
import { Embedded } from './embedded.ts';
import { GuardedPgliteDialect, GuardedPostgresDialect } from './guard.ts';
import type { Tables } from './tables.ts';

/**
 * Kysely over either database, with one view of values: `int8` is a number (counts and event ids stay far below 2^53), names are
 * camelCase outside and snake_case in SQL, keys inside JSON are left alone.
 */
function kysely(dialect: Dialect): Kysely<Tables> {
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] });
}

export async function openPglite(directory: string): Promise<{ db: Kysely<Tables>; pglite: PGlite }> {
  const pglite = new Embedded({ dataDir: directory, parsers: { [pgliteTypes.INT8]: Number } });
  await pglite.waitReady;
  return { db: kysely(new GuardedPgliteDialect({ pglite })), pglite };
}

/** `onError` hears of connections that broke while idle; without a listener they would end the process. */
export function openPostgres(url: string, onError: (error: Error) => void): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    application_name: 'clade',
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  pool.on('error', onError);
  // The pool listens to idle clients only. A client that is lost in the middle of a transaction rejects the query that
  // runs, and says it once more by this event, which would end the process if nobody listened.
  pool.on('connect', (client) => client.on('error', () => {}));
  return kysely(new GuardedPostgresDialect({ pool }));
}
