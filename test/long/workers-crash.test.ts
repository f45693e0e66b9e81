import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findMarked, workspaceMark } from '../../src/process/index.ts';
import { generatorFor } from '../../src/qd/index.ts';
import { dumpCampaign } from '../e2e/dump.ts';
import { shareDatabase } from '../support/cluster.ts';
import { describeServer } from '../support/databases.ts';
import { killAndFinish, refsOf } from '../support/killing.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
/** CLADE_KILLS and CLADE_JOBS make it longer: `scripts/kill-test`. */
const KILLS = Number(process.env.CLADE_KILLS ?? 12);
const JOBS = Number(process.env.CLADE_JOBS ?? 24);

describeServer('a campaign on four workers of which one after the other is killed, and the daemon too', (databases) => {
  it(`comes to the same end as without ${KILLS} kills`, { timeout: 600_000 }, async () => {
    const files = await ledgerCampaign({ jobs: JOBS, batch: 8, edits: 1 });
    const alone = await openWorkspace();
    expect(await alone.run('run', await alone.campaign('ledger', files))).toMatchObject({ code: 0, stderr: '' });

    const { databaseUrl = '' } = await databases.fresh();
    const shared = await shareDatabase(openWorkspace, databaseUrl);
    const rng = generatorFor({ seed: 20261201, island: 0, ordinal: 0, purpose: 'kills' });
    const { leader, hosts, seconds, ...killed } = await killAndFinish(shared, files, { workers: 4, kills: KILLS, rng });
    console.log(
      `${JOBS} jobs in ${Math.round(seconds)} s, killed ${killed.daemon} daemons and ${killed.workers} workers`,
    );

    for (const { dir } of hosts) expect(findMarked(workspaceMark(dir))).toEqual([]);
    const disturbed = await dumpCampaign({ workspace: leader.dir, databaseUrl }, 'ledger');
    expect(disturbed).toEqual(await dumpCampaign({ workspace: alone.dir }, 'ledger'));
    expect(await refsOf(join(shared.dir, 'hubs'))).toEqual(await refsOf(join(alone.dir, '.clade/hubs')));
    expect(killed.daemon + killed.workers).toBe(KILLS);
  });
});
