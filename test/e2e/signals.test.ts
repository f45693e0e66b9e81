import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { CampaignStatus, EventView, JobView } from '../../src/daemon/index.ts';
import { findExecutable, findMarked, workspaceMark } from '../../src/process/index.ts';
import { ledgerCampaign, say } from '../support/ledger.ts';
import { expectDone, listProcesses, until, workspaces, writeFiles } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** A folder for PATH with a Git that takes its time, so that one is always running. */
async function slowGit(): Promise<string> {
  const git = await findExecutable('git', process.env.PATH ?? '', '/');
  const folder = await mkdtemp(join(tmpdir(), 'clade-git-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFiles(folder, { git: `#!/bin/sh\nsleep 0.1\nexec ${git} "$@"\n` });
  return folder;
}

test('Ctrl-C lets the jobs in flight end; the same command goes on', { timeout: 300_000 }, async () => {
  const workspace = await openWorkspace({ PATH: `${await slowGit()}:${process.env.PATH}` });
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 8 }));
  for (const after of [0, 3]) {
    const run = workspace.start('run', folder);
    await run.says(new RegExp(`^\\[${after}/8\\]`, 'm'));
    // A terminal signals the whole group: whatever works for a job must not be in it.
    for (let look = 0; look < 10; look += 1) {
      const group = (await listProcesses()).filter(({ group }) => group === run.pid);
      expect(group.map(({ command }) => command)).toEqual([expect.stringContaining('clade.ts run')]);
      await sleep(50);
    }
    run.press('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(run.output()).toContain('finishing the jobs in flight');
    const jobs = await workspace.ask<JobView[]>('jobs', 'ledger');
    expect(jobs.filter(({ state }) => state === 'generating')).toEqual([]);
  }
  expectDone(await workspace.run('run', folder));
  const { budget, outcomes } = await workspace.ask<CampaignStatus>('status', 'ledger');
  expect(budget).toMatchObject({ planned: 8, settled: 8 });
  expect(outcomes.failed).toBe(0);
  const events = await workspace.ask<EventView[]>('log', 'ledger', '--limit', '1000');
  expect(events.filter(({ kind }) => kind === 'fault').map(({ data }) => data)).toEqual([]);
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

test('SIGKILL takes the children along, also those that would never end', async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 12 }));
  await say(workspace, 'ledger', 'hang');
  const run = workspace.start('run', folder);
  const mark = workspaceMark(workspace.dir);
  await until(
    async () => findMarked(mark),
    (children) => children.length > 0,
  );
  run.signal('SIGKILL');
  expect(await run.ended).toMatchObject({ code: null, stderr: '' });
  await until(
    async () => findMarked(mark),
    (children) => children.length === 0,
  );
});
