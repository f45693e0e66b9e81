import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { listCampaigns, openStore } from '../../src/store/index.ts';
import { MIGRATIONS } from '../../src/store/migrate.ts';
import { describeDatabases, type Fresh } from '../support/databases.ts';
import { endAll, start } from './children.ts';
import { aCampaign } from './sample.ts';

afterEach(endAll);

describeDatabases('a migration that is killed in the middle', (databases) => {
  it('leaves the schema and the data of before, and is done as a whole by the next start', async () => {
    const fresh = await databases.fresh();
    const before = await openStore({ ...fresh, label: 'a test' });
    const campaign = await aCampaign(before);
    await before.close();
    const place = [fresh.workspace, ...(fresh.databaseUrl === undefined ? [] : [fresh.databaseUrl])];

    const doomed = start('migrate.ts', 'wait', ...place);
    expect(await doomed.line()).toBe('half');
    await doomed.end('SIGKILL');

    // The version without these migrations finds what it knows.
    const store = await openStore({ ...fresh, label: 'a test' });
    expect((await listCampaigns(store.db)).map(({ id }) => id)).toEqual([campaign]);
    await store.close();
    expect(await schemaOf(fresh)).toEqual({ migrations: Object.keys(MIGRATIONS), halves: [] });

    const next = start('migrate.ts', 'go', ...place);
    expect([await next.line(), await next.line(), await next.line()]).toEqual(['half', 'whole', undefined]);
  });
});

async function schemaOf(fresh: Fresh): Promise<{ migrations: string[]; halves: string[] }> {
  const store = await openStore({ ...fresh, label: 'a test' });
  try {
    const migrations = await sql<{ name: string }>`select name from migrations order by name`.execute(store.db);
    const halves = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_name like '%half'
      union all select column_name from information_schema.columns where column_name = 'halves'`.execute(store.db);
    return { migrations: migrations.rows.map(({ name }) => name), halves: halves.rows.map(({ name }) => name) };
  } finally {
    await store.close();
  }
}
