import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { CampaignStatus, EventView } from '../../src/daemon/index.ts';
import { openStore } from '../../src/store/index.ts';
import { finished, LEASE_SECONDS, shareDatabase } from '../support/cluster.ts';
import { describeServer } from '../support/databases.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { type Clade, until, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
const WAITS = /another process works on this campaign/;
/** More than are done before the second daemon has started. */
const JOBS = 120;

/** Two daemons of one campaign that plan, and a worker. */
async function pair(databaseUrl: string, jobs: number) {
  const shared = await shareDatabase(openWorkspace, databaseUrl);
  const files = await ledgerCampaign({ jobs, batch: 4 });
  const hosts = [await shared.host(), await shared.host()] as const;
  for (const host of hosts) await host.campaign('ledger', files);
  // The target is one folder of both.
  await cp(join(hosts[0].dir, 'campaigns/ledger/target'), join(shared.dir, 'target'), { recursive: true });
  for (const host of hosts) {
    await rm(join(host.dir, 'campaigns/ledger/target'), { recursive: true });
    const text = files['campaign.yaml']?.replace('./target', join(shared.dir, 'target')) ?? '';
    await host.campaign('ledger', { 'campaign.yaml': text });
  }
  const worker = (await shared.host()).start('worker');
  const first = hosts[0].start('daemon', '--no-work');
  await first.says(/"serving ledger"/);
  await until(
    async () => settled(hosts[1]),
    (jobs) => jobs >= 1,
  );
  const second = hosts[1].start('daemon', '--no-work');
  await second.says(WAITS);
  return { hosts, worker, first, second };
}

async function settled(host: Workspace): Promise<number> {
  const { code, stdout } = await host.run('status', 'ledger', '--json');
  return code === 0 ? (JSON.parse(stdout) as CampaignStatus).budget.settled : 0;
}

async function leave(...all: readonly Clade[]): Promise<void> {
  for (const clade of all) clade.signal('SIGTERM');
  for (const clade of all) expect((await clade.ended).code).toBe(0);
}

/** Every job is settled once, and every evaluation is measured once. */
async function expectLedger(host: Workspace, jobs: number): Promise<void> {
  const events = await host.ask<EventView[]>('log', 'ledger', '--limit', '1000');
  const ends = events.filter(({ kind }) => kind === 'job.settled').map(({ ordinal }) => ordinal);
  expect([...ends].sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: jobs + 1 }, (_, index) => index));
}

describeServer('two daemons of one campaign', (databases) => {
  it('one plans, the other waits, and takes over when the first is killed', { timeout: 240_000 }, async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const { hosts, worker, first, second } = await pair(databaseUrl, JOBS);
    first.signal('SIGKILL');
    const killed = performance.now();
    await first.ended;
    await second.says(/"settled"/);
    console.log(`took over after ${Math.round(performance.now() - killed)} ms`);
    const status = await finished(hosts[1], 'ledger');
    expect(status.budget).toMatchObject({ planned: JOBS, settled: JOBS });
    await expectLedger(hosts[1], JOBS);
    await leave(second, worker);
  });

  it('one that was suspended, or lost its session, writes nothing more and waits', { timeout: 240_000 }, async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const { hosts, worker, first, second } = await pair(databaseUrl, JOBS);
    first.signal('SIGSTOP');
    const stopped = performance.now();
    await second.says(/"settled"/);
    console.log(
      `took over from a suspended one after ${Math.round(performance.now() - stopped)} ms, lease ${LEASE_SECONDS} s`,
    );
    first.signal('SIGCONT');
    await first.says(WAITS);

    const store = await openStore({ workspace: hosts[0].dir, databaseUrl, label: 'a test' });
    try {
      const epoch = async () => (await store.db.selectFrom('campaigns').select('lead').executeTakeFirstOrThrow()).lead;
      const before = await epoch();
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'clade lead' and datname = current_database()
        and pid in (select pid from pg_locks where locktype = 'advisory' and granted)`.execute(store.db);
      await until(epoch, (now) => now > before);
    } finally {
      await store.close();
    }
    const status = await finished(hosts[1], 'ledger');
    expect(status.budget).toMatchObject({ planned: JOBS, settled: JOBS });
    await expectLedger(hosts[1], JOBS);
    await leave(first, second, worker);
  });
});
