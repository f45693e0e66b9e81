import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { EventView } from '../../src/daemon/index.ts';
import { finished, LEASE_SECONDS, shareDatabase } from '../support/cluster.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { startCluster } from '../support/postgres.ts';
import { workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

test('a database that is away for longer than a lease costs no job, and nobody is taken for dead', async ({ skip }) => {
  const database = await startCluster();
  if (database === undefined) return skip('no PostgreSQL server on this machine');
  onTestFinished(() => database.stop());
  const shared = await shareDatabase(openWorkspace, database.url);
  const leader = await shared.host();
  await leader.campaign('ledger', await ledgerCampaign({ jobs: 12, batch: 4 }));
  const daemon = leader.start('daemon', '--no-work');
  const workers = [(await shared.host()).start('worker'), (await shared.host()).start('worker')];
  await daemon.says(/"settled"/);
  await database.halt();
  await sleep(2 * LEASE_SECONDS * 1000);
  await database.resume();
  expect(await finished(leader, 'ledger')).toMatchObject({
    budget: { planned: 12, settled: 12 },
    outcomes: { failed: 0 },
  });
  const events = await leader.ask<EventView[]>('log', 'ledger', '--limit', '1000');
  const settled = events.filter(({ kind }) => kind === 'job.settled').map(({ ordinal }) => ordinal);
  expect([...settled].sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 13 }, (_, index) => index));
  expect(events.filter(({ kind }) => kind === 'campaign.paused')).toEqual([]);
  for (const worker of workers) expect(worker.output()).not.toContain('took this worker for dead');
  for (const clade of [daemon, ...workers]) clade.signal('SIGTERM');
  for (const clade of [daemon, ...workers]) expect((await clade.ended).code).toBe(0);
}, 120_000);
