import { expect, onTestFinished, test } from 'vitest';
import { diskShortage } from '../../src/daemon/disk.ts';
import { findCampaign, listEvents } from '../../src/store/index.ts';
import { temporary } from '../pipeline/fixture.ts';
import { describeDatabases } from '../support/databases.ts';
import { campaignIn, eventually, hostOn } from './fixture.ts';

/** No disk of ours has that much. */
const ENDLESS = String(2 ** 50);

function floor(mebibytes: string): void {
  const before = process.env.CLADE_DISK_FLOOR_MIB;
  process.env.CLADE_DISK_FLOOR_MIB = mebibytes;
  onTestFinished(() => {
    if (before === undefined) delete process.env.CLADE_DISK_FLOOR_MIB;
    else process.env.CLADE_DISK_FLOOR_MIB = before;
  });
}

describeDatabases('a disk that is nearly full', (databases) => {
  test('pauses a campaign with the cause, and lets it go on when there is room', async () => {
    floor(ENDLESS);
    const store = await databases.open();
    const workspace = await temporary();
    const { host, said } = await hostOn(store, workspace);
    const running = host.run(await campaignIn(workspace, { jobs: 2 }));
    const row = () => findCampaign(store.db, 'counting');
    await eventually(async () => (await row())?.state === 'paused');
    expect((await row())?.cause).toMatch(/^the disk of .* MiB left/);
    process.env.CLADE_DISK_FLOOR_MIB = '0';
    expect(await running).toMatchObject({ kind: 'finished' });
    const events = await listEvents(store.db, { campaignId: 1, limit: 100 });
    const moves = events.filter(({ kind }) => /^campaign\.(paused|resumed|finished)$/.test(kind));
    expect(moves.map(({ kind }) => kind)).toEqual(['campaign.paused', 'campaign.resumed', 'campaign.finished']);
    expect(said.filter((line) => line.startsWith('warning the disk of'))).toHaveLength(1);
  });

  test('holds no campaign that a person stops meanwhile', async () => {
    floor(ENDLESS);
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    const running = host.run(await campaignIn(workspace, { jobs: 2 }));
    await eventually(async () => (await findCampaign(store.db, 'counting'))?.state === 'paused');
    await host.api.stop('counting');
    expect(await running).toMatchObject({ kind: 'drained' });
    expect((await findCampaign(store.db, 'counting'))?.state).toBe('stopped');
  });
});

test('a floor of nothing is never undercut', async () => {
  floor('0');
  expect(await diskShortage('/')).toBeNull();
});
