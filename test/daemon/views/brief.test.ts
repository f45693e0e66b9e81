import { expect, test } from 'vitest';
import { composeBrief, renderBrief } from '../../../src/agent/index.ts';
import { databaseApi } from '../../../src/daemon/index.ts';
import { assemble, campaignFolders } from '../../../src/pipeline/index.ts';
import { claimJob, getJob, planJobs, recordPlan } from '../../../src/store/index.ts';
import { clade } from '../../cli/captured.ts';
import { campaignIn, temporary } from '../../pipeline/fixture.ts';
import { describeDatabases } from '../../support/databases.ts';
import { hostOn } from '../fixture.ts';

describeDatabases('the brief of a job', (databases) => {
  test('is what its coder was given, and the same when it is composed again after all that came later', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    const campaign = await campaignIn(workspace, { jobs: 10, search: 'schedule: {size: 3}' });
    await host.run(campaign);
    const api = databaseApi(store.db, workspace);
    const workshop = { campaign, hub: { dir: campaignFolders(workspace, 'counting').hub, remote: null } };
    const told: string[] = [];
    for (let ordinal = 1; ordinal <= 10; ordinal += 1) {
      const view = await api.brief('counting', ordinal);
      const { job } = await getJob(store.db, 1, ordinal);
      expect(view).toEqual({ ordinal, round: 0, stored: true, text: job.brief });
      const { brief } = await assemble(store.db, workshop, job);
      expect(renderBrief(composeBrief(brief, campaign.agents.brief))).toBe(job.brief);
      told.push(job.brief ?? '');
    }
    expect(told.join('')).toContain('# Inspirations');
    expect(told.join('')).toContain('# Key files');
  });

  test('of a job that waits is what it would be told now, with the plan once there is one; the root has none', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    await host.run(await campaignIn(workspace, { jobs: 2 }));
    const next = { ordinal: 3, island: 0, base: 2, inspirations: [1], decision: null, batch: 3 };
    await store.db.transaction().execute((trx) => planJobs(trx, 1, [next]));
    const api = databaseApi(store.db, workspace);
    const waits = await api.brief('counting', 3);
    expect(waits).toMatchObject({ ordinal: 3, round: 0, stored: false });
    expect(waits.text).toContain('Candidate #2');
    expect(waits.text).toContain('## #1: ');
    expect(waits.text).not.toContain('# Plan');
    expect(await host.api.brief('counting', 3)).toEqual(waits);

    const job = await claimJob(store.db, 1, 3, 'w');
    if (job === undefined) throw new Error('the job cannot be claimed');
    await recordPlan(store.db, job, { plan: 'Halve it.', transcript: '', usage: null });
    const planned = await api.brief('counting', 3);
    expect(planned).toMatchObject({ stored: false });
    expect(planned.text).toContain('# Plan\n\nSomebody read the code');
    expect(planned.text).toContain('Halve it.');

    expect(await api.brief('counting', 0)).toEqual({
      ...{ ordinal: 0, round: 0, stored: false, text: null },
      because: 'it is the root, which nobody was asked for',
    });
    await expect(api.brief('counting', 9)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('clade brief prints it without a running process', async () => {
  const workspace = await temporary();
  const campaign = await campaignIn(workspace, { jobs: 2 });
  expect(await clade('run', campaign.directory, '-w', workspace)).toMatchObject({ code: 0 });
  const ask = (...argv: string[]) => clade('brief', ...argv, '-w', workspace);
  const text = await ask('counting', '1');
  expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/^# Goal\n\ngo faster\n/) });
  expect((await ask('counting:1')).stdout).toBe(text.stdout);
  const parsed = JSON.parse((await ask('counting', '1', '--json')).stdout);
  expect(parsed).toEqual({ ordinal: 1, round: 0, stored: true, text: text.stdout });
  expect(await ask('counting', '0')).toMatchObject({
    code: 0,
    stdout: 'job 0 has no brief: it is the root, which nobody was asked for\n',
  });
  expect(await ask('counting', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('x is no job') });
  expect(await ask('counting', '7')).toMatchObject({ code: 1 });
});
