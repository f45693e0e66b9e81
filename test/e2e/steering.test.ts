import { expect, test } from 'vitest';
import type { CampaignStatus, EventView } from '../../src/daemon/index.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { expectDone, until, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

const status = (workspace: Workspace): Promise<CampaignStatus> => workspace.ask('status', 'ledger');

test('another process reads, pauses, resumes and stops a run', { timeout: 300_000 }, async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 500 }));
  const run = workspace.start('run', folder);
  await run.says(/^\[8\/500\]/m);

  const second = await workspace.run('run', folder);
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toContain(`clade run ledger (pid ${run.pid}`);

  await workspace.ask('pause', 'ledger');
  const paused = await until(
    () => status(workspace),
    ({ running }) => !running,
  );
  expect(paused).toMatchObject({ state: 'paused', cause: 'paused by the user', inFlight: [] });
  expect(paused.budget.settled).toBeGreaterThanOrEqual(8);

  await workspace.ask('resume', 'ledger');
  await run.says(new RegExp(`^\\[${paused.budget.planned + 1}/500\\]`, 'm'));
  expect(await status(workspace)).toMatchObject({ state: 'running', cause: null, running: true });

  await workspace.ask('pause', 'ledger');
  const rest = await until(
    () => status(workspace),
    ({ running }) => !running,
  );
  const served = await everyReading(workspace, rest);
  run.signal('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(await everyReading(workspace, rest)).toEqual(served);

  const more = workspace.start('run', folder);
  await more.says(new RegExp(`^\\[${rest.budget.planned + 1}/500\\]`, 'm'));
  await workspace.ask('stop', 'ledger');
  expect((await more.ended).code).toBe(130);
  expect(await status(workspace)).toMatchObject({ state: 'stopped', cause: 'stopped by the user', running: false });
});

/** All that can be read of a campaign, each by its own command. */
async function everyReading(workspace: Workspace, { best }: CampaignStatus): Promise<Record<string, unknown>> {
  const commit = best?.commit ?? '';
  return {
    status: await workspace.ask('status', 'ledger'),
    jobs: await workspace.ask('jobs', 'ledger'),
    show: await workspace.ask('show', commit, '--brief', '--transcript'),
    lineage: await workspace.ask('lineage', commit),
    archive: await workspace.ask('archive', 'ledger'),
    log: await workspace.ask('log', 'ledger', '--after', '5', '--limit', '1000'),
  };
}

test('the file of a campaign that has jobs: frozen keys are refused, live ones take effect', async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 2 }));
  expectDone(await workspace.run('run', folder));

  await workspace.campaign('ledger', await ledgerCampaign({ jobs: 2, goal: 'book less' }));
  const refused = await workspace.run('run', folder);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/goal is frozen since the first run of "ledger"/);

  await workspace.campaign('ledger', await ledgerCampaign({ jobs: 4 }));
  expectDone(await workspace.run('run', folder));
  expect(await status(workspace)).toMatchObject({ state: 'finished', budget: { jobs: 4, planned: 4, settled: 4 } });
  const events = await workspace.ask<EventView[]>('log', 'ledger');
  const changes = events.filter(({ kind }) => kind === 'campaign.reconfigured');
  expect(changes.map(({ data }) => data)).toEqual([{ changed: ['budget.jobs'] }]);
});
