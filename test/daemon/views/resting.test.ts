import { expect, test } from 'vitest';
import { databaseApi } from '../../../src/daemon/index.ts';
import { appendEvents, getJob } from '../../../src/store/index.ts';
import { campaignIn, temporary } from '../../pipeline/fixture.ts';
import { describeDatabases } from '../../support/databases.ts';
import { hostOn } from '../fixture.ts';

describeDatabases('the status of a campaign that rests', (databases) => {
  test('is read anew after an event, and only then', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    const campaign = await campaignIn(workspace, { jobs: 2 });
    await host.run(campaign);
    const api = databaseApi(store.db, workspace);
    const first = await api.status('counting');
    expect(first).toMatchObject({ state: 'finished', budget: { settled: 2, planned: 2 } });
    expect(await api.status('counting')).toEqual(first);

    // Nobody writes a job without an event; that nothing is read shows by doing it.
    const valid = first.best?.ordinal ?? 0;
    await store.db.updateTable('jobs').set({ outcome: 'invalid' }).where('ordinal', '=', valid).execute();
    expect(await api.status('counting')).toEqual(first);
    // What is no sum of jobs is read each time.
    await store.db.updateTable('campaigns').set({ cause: 'another', wallMsUsed: 7 }).execute();
    expect(await api.status('counting')).toMatchObject({
      cause: 'another',
      budget: { wallMsUsed: 7 },
      best: first.best,
    });

    const { job } = await getJob(store.db, 1, valid);
    await store.db
      .transaction()
      .execute((trx) => appendEvents(trx, [{ campaignId: 1, kind: 'job.settled', ordinal: job.ordinal }]));
    const later = await api.status('counting');
    expect(later.outcomes.invalid).toBe(first.outcomes.invalid + 1);
    expect(later.best?.ordinal).not.toBe(valid);
  });

  test('follows a campaign that goes on elsewhere', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    const campaign = await campaignIn(workspace, { jobs: 1 });
    await host.run(campaign);
    const api = databaseApi(store.db, workspace);
    expect((await api.status('counting')).budget).toMatchObject({ jobs: 1, settled: 1 });
    await host.run({ ...campaign, budget: { ...campaign.budget, jobs: 3 } });
    expect((await api.status('counting')).budget).toMatchObject({ jobs: 3, settled: 3, planned: 3 });
    expect((await api.campaigns())[0]).toEqual(await api.status('counting'));
  });
});
