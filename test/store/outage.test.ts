import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { InfrastructureError } from '../../src/errors.ts';
import { listCampaigns, openStore, planJobs } from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { aCampaign, plans } from './sample.ts';

describeDatabases('a fault', (databases) => {
  it('of the query keeps its own error', async () => {
    const store = await databases.open();
    await expect(sql`select nonsense`.execute(store.db)).rejects.toMatchObject({ code: '42703' });
    const orphan = store.db.transaction().execute((trx) => planJobs(trx, 404, plans(1, 1)));
    await expect(orphan).rejects.toMatchObject({ code: '23503' });
    await expect(orphan).rejects.not.toBeInstanceOf(InfrastructureError);
  });

  it('of a closed connection is infrastructure, in a transaction too, and it is over when the server is back', async () => {
    if (databases.kind === 'pglite') return;
    const store = await databases.open();
    const reports: string[] = [];
    const report = ({ message }: { message: string }) => reports.push(message);
    const queue = await store.startQueue({ onError: report, onWarning: report });
    const campaign = await aCampaign(store);
    await queue.prepare(campaign);
    const seen: number[] = [];
    await queue.work('generate', campaign, { concurrency: 1 }, async ({ ordinal }) => void seen.push(ordinal));

    const waiting = store.db.transaction().execute(async (trx) => {
      await planJobs(trx, campaign, plans(1, 1));
      await sql`select pg_sleep(60)`.execute(trx);
    });
    await sleep(200);
    // Every session of this database but the one that says so: what a restart of the server does to its clients.
    const terminated = expect(waiting).rejects.toThrow(InfrastructureError);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    `.execute(store.db);
    await terminated;

    const left = await store.db.selectFrom('jobs').select('ordinal').execute();
    expect(left).toEqual([]);
    await store.db.transaction().execute(async (trx) => {
      await planJobs(trx, campaign, plans(1, 1));
      await queue.enqueue(trx, 'generate', campaign, [{ campaignId: campaign, ordinal: 1 }]);
    });
    while (seen.length === 0) await sleep(20);
    expect(seen).toEqual([1]);
  });
});

describe('a server that is not there', () => {
  it('is infrastructure', async () => {
    const opening = openStore({
      workspace: '/nowhere',
      databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
      label: 'a test',
    });
    await expect(opening.then((store) => listCampaigns(store.db))).rejects.toThrow(InfrastructureError);
  });
});
