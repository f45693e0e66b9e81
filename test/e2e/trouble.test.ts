import { expect, test } from 'vitest';
import type { CampaignStatus, EventView } from '../../src/daemon/index.ts';
import { ledgerCampaign, say } from '../support/ledger.ts';
import { expectDone, fixture, type Workspace, workspaces, writeFiles } from '../support/workspace.ts';

const openWorkspace = workspaces();

const status = (workspace: Workspace): Promise<CampaignStatus> => workspace.ask('status', 'ledger');

test('an evaluator that refuses the root pauses the campaign until it is mended', { timeout: 300_000 }, async () => {
  const workspace = await openWorkspace();
  const broken = '#!/bin/sh\necho "no compiler" >&2\nexit 3\n';
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 2, evaluator: broken }));
  const run = await workspace.run('run', folder);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/paused: the evaluator refuses the root itself \(crash: .*\)/);
  expect(await status(workspace)).toMatchObject({ state: 'paused', budget: { planned: 0, settled: 0 } });

  await writeFiles(folder, { 'evaluate.mjs': await fixture('evaluators/ledger.mjs') });
  expectDone(await workspace.run('run', folder));
  expect(await status(workspace)).toMatchObject({ state: 'finished', budget: { planned: 2, settled: 2 } });
});

test('an evaluator that blames the machine three times pauses the campaign; no job pays for it', async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 6 }));
  const run = workspace.start('run', folder);
  await run.says(/^\[0\/6\]/m);
  const mend = await say(workspace, 'ledger', 'fault');
  expect((await run.ended).code).toBe(1);
  expect(run.output()).toMatch(/paused: the machine failed 3 times in a row: .*75/);
  const paused = await status(workspace);
  expect(paused).toMatchObject({ state: 'paused', outcomes: { failed: 0, invalid: 0 } });
  expect(paused.budget.settled).toBeLessThan(6);
  const events = await workspace.ask<EventView[]>('log', 'ledger');
  expect(events.filter(({ kind }) => kind === 'fault').length).toBeGreaterThanOrEqual(3);

  await mend();
  expectDone(await workspace.run('run', folder));
  expect(await status(workspace)).toMatchObject({
    state: 'finished',
    outcomes: { failed: 0 },
    budget: { planned: 6, settled: 6 },
  });
});

test('a campaign of which no first candidate is valid pauses and says what they died of', async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 40 }));
  await say(workspace, 'ledger', 'strict');
  const run = await workspace.run('run', folder);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/paused: none of the first 8 jobs was valid \(evaluate\/test × \d\)/);
  expect(await status(workspace)).toMatchObject({ budget: { planned: 8, settled: 8 }, best: { ordinal: 0 } });
});
