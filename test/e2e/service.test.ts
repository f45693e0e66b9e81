import { expect, test } from 'vitest';
import type { CampaignStatus, EventView } from '../../src/daemon/index.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { until, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

async function finished(workspace: Workspace, expected: Readonly<Record<string, number>>): Promise<void> {
  const settled = await until(
    () => workspace.ask<CampaignStatus[]>('status'),
    (all) =>
      Object.keys(expected).every((name) =>
        all.some((one) => one.name === name && one.budget.settled === expected[name] && one.state === 'finished'),
      ),
  );
  expect(Object.fromEntries(settled.map(({ name, budget }) => [name, budget.planned]))).toEqual(expected);
}

test('a daemon serves what is in campaigns/, what comes later and what changes', { timeout: 300_000 }, async () => {
  const workspace = await openWorkspace();
  await workspace.campaign('first', await ledgerCampaign({ jobs: 3 }));
  await workspace.campaign('second', await ledgerCampaign({ jobs: 2 }));
  const daemon = workspace.start('daemon');
  await daemon.says(/"msg":"serving"/);
  await finished(workspace, { first: 3, second: 2 });

  await workspace.campaign('third', await ledgerCampaign({ jobs: 2 }));
  await workspace.campaign('first', await ledgerCampaign({ jobs: 5 }));
  await finished(workspace, { first: 5, second: 2, third: 2 });
  const events = await workspace.ask<EventView[]>('log', 'first');
  expect(events.map(({ kind }) => kind)).toContain('campaign.reconfigured');

  daemon.signal('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: 0, stderr: '' });
  await finished(workspace, { first: 5, second: 2, third: 2 });
});
