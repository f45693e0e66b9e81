import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { candidateRef, type Hub, listRefs, missingOf } from '../../../src/git/index.ts';
import { campaignFolders, hubOf } from '../../../src/pipeline/index.ts';
import { listEvents, type Store } from '../../../src/store/index.ts';
import { git } from '../../fixtures/awkward.ts';
import { temporary } from '../../pipeline/fixture.ts';
import { describeServer } from '../../support/databases.ts';
import { campaignIn, hostOn } from '../fixture.ts';

const PREFIX = 'refs/clade/counting/';
const NOBODY: Record<string, string> = {};

/** A campaign of two jobs that came to its end, whose commits are in a shared hub and in the mirror of this workspace. */
async function finished(store: Store) {
  const workspace = await temporary();
  vi.stubEnv('CLADE_HUB_URL', join(workspace, 'hubs'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { host } = await hostOn(store, workspace);
  await host.run(await campaignIn(workspace, { jobs: 2 }));
  const mirror = hubOf(campaignFolders(workspace, 'counting'));
  const shared: Hub = { dir: mirror.remote ?? '', remote: null };
  const commits = await Promise.all(
    [1, 2].map(async (ordinal) => (await host.api.job('counting', ordinal)).commit ?? ''),
  );
  /** Two jobs more each time, of another process on this workspace. */
  const again = async (jobs: number) => {
    const next = await hostOn(store, workspace);
    return { said: next.said, end: await next.host.run(await campaignIn(workspace, { jobs })) };
  };
  return { mirror, shared, commits, again };
}

const reconciled = async (store: Store) =>
  (await listEvents(store.db, { campaignId: 1, limit: 500 })).filter(({ kind }) => kind === 'campaign.reconciled');
const refsOf = (hub: Hub) => listRefs(hub, PREFIX);
const heads = async (hub: Hub) => {
  const refs = await refsOf(hub);
  return [1, 2].map((ordinal) => refs.get(candidateRef('counting', ordinal)));
};

/** As if the hub had been brought back from an older copy: without the job, and without its objects. */
async function forget(hub: Hub, ordinal: number): Promise<void> {
  await git(hub.dir, ['update-ref', '-d', candidateRef('counting', ordinal)], NOBODY);
  await git(hub.dir, ['-c', 'gc.reflogExpire=now', 'gc', '--quiet', '--prune=now'], NOBODY);
}

describeServer('recovery with a shared hub', (databases) => {
  test('gives back to it what only the mirror has, and takes from it what the mirror lost', async () => {
    const store = await databases.open();
    const { mirror, shared, commits, again } = await finished(store);
    expect(await heads(shared)).toEqual(commits);
    await forget(shared, 1);
    await git(shared.dir, ['update-ref', candidateRef('counting', 2), `${commits[1]}^`]);
    expect(await missingOf(shared, commits)).toEqual([commits[0]]);
    expect((await again(3)).end.kind).toBe('finished');
    expect(await heads(shared)).toEqual(commits);
    expect((await reconciled(store)).map(({ data }) => data)).toMatchObject([{ refs: 2, lost: 0 }]);

    await rm(mirror.dir, { recursive: true });
    expect((await again(4)).end.kind).toBe('finished');
    expect(await reconciled(store)).toHaveLength(1);
    expect([...(await refsOf(shared)).keys()]).toHaveLength(5);
  });

  test('marks once what neither has, and says so', async () => {
    const store = await databases.open();
    const { mirror, shared, commits, again } = await finished(store);
    for (const hub of [shared, mirror]) await forget(hub, 1);
    expect(await missingOf(mirror, commits)).toEqual([commits[0]]);
    const { said } = await again(3);
    expect(said.some((line) => line.includes(`the commit ${commits[0]} of job 1`))).toBe(true);
    await again(4);
    const events = await listEvents(store.db, { campaignId: 1, limit: 500 });
    expect(events.filter(({ kind }) => kind === 'job.lost')).toMatchObject([
      { ordinal: 1, data: { commit: commits[0] } },
    ]);
  });

  test('waits for one that is not there, and names it', async () => {
    const store = await databases.open();
    const { shared, again } = await finished(store);
    await rm(shared.dir, { recursive: true });
    await expect(again(3)).rejects.toThrow(shared.dir);
    expect(await reconciled(store)).toEqual([]);
  });
});
