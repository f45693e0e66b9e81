import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findMarked, workspaceMark } from '../../src/process/index.ts';
import { generatorFor } from '../../src/qd/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { killRuns } from '../support/killing.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { workspaces } from '../support/workspace.ts';
import { dumpCampaign } from './dump.ts';

const KILLS = 5;
const openWorkspace = workspaces();

/** The evaluator is deterministic, so every trial confirms; that verdicts other than this replay is in daemon/trials/settlement.test.ts. */
const CAMPAIGN = { jobs: 16, batch: 4, edits: 1, remeasure: '{incumbent: true}' };

describeDatabases('a campaign with trials that is killed again and again', (databases) => {
  test(`comes to the same end after ${KILLS} times SIGKILL`, { timeout: 900_000 }, async () => {
    const calm = await openWorkspace();
    const calmFolder = await calm.campaign('ledger', await ledgerCampaign({ ...CAMPAIGN, lanes: 1 }));
    expect(await calm.run('run', calmFolder)).toMatchObject({ code: 0, stderr: '' });
    const undisturbed = await dumpCampaign({ workspace: calm.dir }, 'ledger');
    expect(undisturbed.trials.length).toBeGreaterThan(2);

    const { databaseUrl } = await databases.fresh();
    const workspace = await openWorkspace(databaseUrl === undefined ? {} : { CLADE_DATABASE_URL: databaseUrl });
    const folder = await workspace.campaign('ledger', await ledgerCampaign({ ...CAMPAIGN, lanes: 2 }));
    const rng = generatorFor({ seed: 20261201, island: 0, ordinal: 0, purpose: 'kills' });
    await killRuns(workspace, folder, KILLS, async (clade) => {
      await clade.says(/dashboard/);
      // Sixteen jobs and their trials take a few seconds.
      await sleep(rng.below(800));
    });
    expect(findMarked(workspaceMark(workspace.dir))).toEqual([]);
    const where = { workspace: workspace.dir, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
    expect(await dumpCampaign(where, 'ledger')).toEqual(undisturbed);
  });
});
