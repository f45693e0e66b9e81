import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CampaignStatus, EventView, JobView } from '../../src/daemon/index.ts';
import { findMarked, workspaceMark } from '../../src/process/index.ts';
import { ledgerCampaign, say } from '../support/ledger.ts';
import { expectDone, until, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** Jobs that somebody works on, as far as the database knows. */
async function underWay(workspace: Workspace): Promise<JobView[]> {
  const jobs = await workspace.ask<JobView[]>('jobs', 'ledger');
  return jobs.filter(({ state }) => state === 'generating' || state === 'generated');
}

test('Ctrl-C lets the jobs in flight end; the same command goes on', { timeout: 300_000 }, async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 16 }));
  for (const after of [2, 7]) {
    const run = workspace.start('run', folder);
    await run.says(new RegExp(`^\\[${after}/16\\]`, 'm'));
    // A terminal signals the whole group: Git and whatever else runs there must not die of it.
    run.press('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(run.output()).toContain('finishing the jobs in flight');
    expect(await underWay(workspace)).toEqual([]);
  }
  expectDone(await workspace.run('run', folder));
  const { budget, outcomes } = await workspace.ask<CampaignStatus>('status', 'ledger');
  expect(budget).toMatchObject({ planned: 16, settled: 16 });
  expect(outcomes.failed).toBe(0);
  const events = await workspace.ask<EventView[]>('log', 'ledger', '--limit', '1000');
  expect(events.filter(({ kind }) => kind === 'fault')).toEqual([]);
});

test('a second Ctrl-C ends the children at once, and nothing is lost', { timeout: 300_000 }, async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 6 }));
  const run = workspace.start('run', folder);
  await run.says(/^\[0\/6\]/m);
  const unhang = await say(workspace, 'ledger', 'hang');
  await until(
    () => workspace.ask<CampaignStatus>('status', 'ledger'),
    ({ inFlight }) => inFlight.some(({ stage, forMs }) => stage === 'evaluate' && forMs > 500),
  );
  run.press('SIGINT');
  await run.says(/finishing the jobs in flight/);
  expect(await Promise.race([run.ended, sleep(1000, 'alive')])).toBe('alive');
  run.press('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(findMarked(workspaceMark(workspace.dir))).toEqual([]);

  await unhang();
  expectDone(await workspace.run('run', folder));
  const { budget, outcomes } = await workspace.ask<CampaignStatus>('status', 'ledger');
  expect(budget).toMatchObject({ planned: 6, settled: 6 });
  expect(outcomes.failed).toBe(0);
});
