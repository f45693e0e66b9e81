import { expect, test } from 'vitest';
import { ledgerCampaign } from '../support/ledger.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

test('a log that is followed waits for somebody to ask, tells what happens, and ends by a signal', {
  timeout: 120_000,
}, async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs: 4 }));
  expectDone(await workspace.run('run', folder));
  await workspace.campaign('ledger', await ledgerCampaign({ jobs: 200 }));
  const log = workspace.start('log', 'ledger', '--follow', '--after', '1', '--json');
  const run = workspace.start('run', folder);
  await run.says(/^\[5\/200\]/m);
  await log.says(/"kind":"campaign.reconfigured"/);
  await log.says(/"kind":"job.settled","ordinal":5/);
  log.signal('SIGINT');
  const { code, stdout, stderr } = await log.ended;
  expect([code, stderr]).toEqual([130, '']);
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id);
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
  run.signal('SIGKILL');
});
