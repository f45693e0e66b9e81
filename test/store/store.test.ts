import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, ConflictError, InfrastructureError } from '../../src/errors.ts';
import { listCampaigns, openStore } from '../../src/store/index.ts';
import { MIGRATIONS, migrate } from '../../src/store/migrate.ts';
import { describeDatabases } from '../support/databases.ts';
import { aCampaign } from './sample.ts';

describeDatabases('a store', (databases) => {
  it('is there again when it is opened again', async () => {
    const fresh = await databases.fresh();
    const first = await openStore({ ...fresh, label: 'first' });
    const id = await aCampaign(first);
    await Promise.all([first.close(), first.close()]);
    const second = await openStore({ ...fresh, label: 'second' });
    expect((await listCampaigns(second.db)).map((campaign) => campaign.id)).toEqual([id]);
    await second.close();
  });

  it('refuses a database that a newer Clade made, and lets go of it', async () => {
    const fresh = await databases.fresh();
    const newer = await openStore({ ...fresh, label: 'newer' });
    await migrate(newer.db, { ...MIGRATIONS, '0007_later': { up: async () => {} } });
    await newer.close();
    for (const attempt of [1, 2]) {
      const older = openStore({ ...fresh, label: `older ${attempt}` });
      await expect(older).rejects.toThrow(ConflictError);
      await expect(older).rejects.toThrow(/migration 0007_later, this Clade knows up to 0002_workers: upgrade Clade/);
    }
  });

  it('leaves nothing of migrations that were interrupted', async () => {
    const store = await databases.open();
    const broken = migrate(store.db, {
      ...MIGRATIONS,
      '0008_good': { up: (db) => sql`create table half (id integer)`.execute(db).then(() => {}) },
      '0009_bad': { up: (db) => sql`create table half (id integer)`.execute(db).then(() => {}) },
    });
    await expect(broken).rejects.toThrow(InfrastructureError);
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(store.db);
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS));
    const half = await sql<{ half: string | null }>`select to_regclass('half')::text as half`.execute(store.db);
    expect(half.rows).toEqual([{ half: null }]);
  });

  it('opened by several processes at once on an empty server is migrated once', async () => {
    if (databases.kind === 'pglite') return;
    const fresh = await databases.fresh();
    const first = await openStore({ ...fresh, label: 'first' });
    await sql`drop schema public cascade`.execute(first.db);
    await sql`create schema public`.execute(first.db);
    await first.close();
    const stores = await Promise.all([1, 2, 3].map((n) => openStore({ ...fresh, label: `process ${n}` })));
    for (const store of stores) await store.close();
  });

  it('is exclusive on a server too when asked', async () => {
    const fresh = await databases.fresh();
    const daemon = await openStore({ ...fresh, label: 'the daemon', exclusive: true });
    await expect(openStore({ ...fresh, label: 'another', exclusive: true })).rejects.toThrow(/in use by the daemon/);
    await daemon.close();
  });
});

describe('a database URL', () => {
  it('must be one of PostgreSQL, and is not repeated', async () => {
    for (const databaseUrl of ['mysql://root:secret@host/db', 'secret']) {
      const opening = openStore({ workspace: '/nowhere', databaseUrl, label: 'a test' });
      await expect(opening).rejects.toThrow(ConfigurationError);
      await expect(opening).rejects.not.toThrow(/secret/);
    }
  });
});
