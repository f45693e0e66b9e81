import { existsSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepChecks, sweepGateways } from '../../../src/daemon/recover/sweep.ts';
import { candidateRef, deleteRef, type Hub, listRefs, updateRef } from '../../../src/git/index.ts';
import { campaignFolders, hubOf } from '../../../src/pipeline/index.ts';
import { processStart } from '../../../src/process/index.ts';
import { getArtifact, listEvents, type Store } from '../../../src/store/index.ts';
import { temporary } from '../../pipeline/fixture.ts';
import { describeDatabases } from '../../support/databases.ts';
import { campaignIn, eventually, hostOn } from '../fixture.ts';

const LONG_AGO = new Date(2020, 1, 1);

async function events(store: Store, kind: string) {
  const all = await listEvents(store.db, { campaignId: 1, limit: 500 });
  return all.filter((event) => event.kind === kind);
}

/** A campaign of two jobs that came to its end, and one job more to do at the next start. */
async function finished(store: Store) {
  const workspace = await temporary();
  const { host } = await hostOn(store, workspace);
  await host.run(await campaignIn(workspace, { jobs: 2 }));
  const hub = hubOf(campaignFolders(workspace, 'counting'));
  const again = async () => {
    const next = await hostOn(store, workspace);
    const end = await next.host.run(await campaignIn(workspace, { jobs: 3 }));
    return { ...next, end };
  };
  return { workspace, host, hub, again };
}

const refsOf = (hub: Hub) => listRefs(hub, 'refs/clade/counting/');

describeDatabases('reconciling', (databases) => {
  test('says nothing where all is well', async () => {
    const store = await databases.open();
    const { again } = await finished(store);
    await again();
    expect(await events(store, 'campaign.reconciled')).toEqual([]);
  });

  test('puts refs right, and removes stale locks alone', async () => {
    const store = await databases.open();
    const { hub, again } = await finished(store);
    const before = await refsOf(hub);
    const [one, two] = [1, 2].map((ordinal) => before.get(candidateRef('counting', ordinal)) ?? '');
    await deleteRef(hub, candidateRef('counting', 1));
    await updateRef(hub, candidateRef('counting', 2), one ?? '');
    await updateRef(hub, 'refs/clade/other/1', one ?? '');
    await mkdir(`${hub.dir}.new-abc`);
    for (const name of ['HEAD.lock', 'refs/clade/counting/1.lock']) await writeFile(join(hub.dir, name), '');
    for (const path of [`${hub.dir}.new-abc`, join(hub.dir, 'HEAD.lock')]) await utimes(path, LONG_AGO, LONG_AGO);
    await utimes(join(hub.dir, 'refs/clade/counting/1.lock'), LONG_AGO, LONG_AGO);
    await writeFile(join(hub.dir, 'config.lock'), '');
    const { end } = await again();
    expect(end.kind).toBe('finished');
    const after = await refsOf(hub);
    expect([1, 2].map((ordinal) => after.get(candidateRef('counting', ordinal)))).toEqual([one, two]);
    expect((await listRefs(hub, 'refs/clade/other/')).size).toBe(1);
    expect(existsSync(`${hub.dir}.new-abc`)).toBe(false);
    expect(existsSync(join(hub.dir, 'config.lock'))).toBe(true);
    const [event] = await events(store, 'campaign.reconciled');
    expect(event?.data).toMatchObject({ locks: 2, unfinished: 1, refs: 2, lost: 0, interrupted: [] });
    await rm(join(hub.dir, 'config.lock'));
  });

  test('takes the ref of a job away that ended without a candidate', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { jobs: 1, agent: '#!/bin/sh\ncat > /dev/null\n' });
    await (await hostOn(store, workspace)).host.run(campaign);
    const hub = hubOf(campaignFolders(workspace, 'counting'));
    const root = (await refsOf(hub)).get('refs/clade/counting/root') ?? '';
    await updateRef(hub, candidateRef('counting', 1), root);
    await updateRef(hub, candidateRef('counting', 2), root);
    await (await hostOn(store, workspace)).host.run(campaign);
    expect([...(await refsOf(hub)).keys()]).toEqual(['refs/clade/counting/2', 'refs/clade/counting/root']);
  });

  test('marks once a candidate whose commit is gone', async () => {
    const store = await databases.open();
    const { hub, host, again } = await finished(store);
    const { commit } = await host.api.job('counting', 2);
    await deleteRef(hub, candidateRef('counting', 2));
    await rm(join(hub.dir, 'objects', commit?.slice(0, 2) ?? '', commit?.slice(2) ?? ''));
    const { said } = await again();
    await again();
    expect(said.some((line) => line.includes(`the commit ${commit} of job 2`))).toBe(true);
    const lost = await events(store, 'job.lost');
    expect(lost.map(({ ordinal, data }) => ({ ordinal, data }))).toEqual([{ ordinal: 2, data: { commit } }]);
  });

  test('keeps as a patch what a coder had changed when it was cut off, and does the job again', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const go = join(workspace, 'go');
    const agent = `#!/bin/sh
cat > /dev/null
test -e ${go} && { echo 7 > value.txt; exit 0; }
echo half > value.txt
touch ${workspace}/started
sleep 60
`;
    const campaign = await campaignIn(workspace, { jobs: 1, agent });
    const first = await hostOn(store, workspace);
    const running = first.host.run(campaign);
    await eventually(() => existsSync(join(workspace, 'started')));
    first.host.interrupt();
    await running;
    await writeFile(go, '');
    const unfinished = join(campaignFolders(workspace, 'counting').lanes, 'generate-9.job');
    await writeFile(unfinished, '{"ordi');
    const second = await hostOn(store, workspace);
    expect((await second.host.run(campaign)).kind).toBe('finished');
    expect(existsSync(unfinished)).toBe(false);
    const job = await second.host.api.job('counting', 1);
    expect(job.outcome).toBe('candidate');
    const [artifact] = job.artifacts;
    expect(artifact?.name).toBe('interrupted.patch');
    const { content } = await getArtifact(store.db, artifact?.id ?? 0);
    expect(Buffer.from(content).toString()).toContain('\n-0\n+half\n');
    const [event, ...more] = await events(store, 'campaign.reconciled');
    expect(event?.data).toMatchObject({ interrupted: [{ ordinal: 1, truncated: false }] });
    expect(more).toEqual([]);
  });
});

test('a gateway that answers stays, one of a dead process goes', async () => {
  const folder = await temporary();
  const [alive, dead] = [join(folder, 'clade-gateway-alive'), join(folder, 'clade-gateway-dead')];
  for (const dir of [alive, dead]) await mkdir(dir);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(alive, 'model.sock'), resolve));
  await writeFile(join(dead, 'model.sock'), '');
  for (const dir of [alive, dead]) await utimes(dir, LONG_AGO, LONG_AGO);
  expect(await sweepGateways(folder)).toBe(1);
  expect([alive, dead].map((dir) => existsSync(dir))).toEqual([true, false]);
  server.close();
});

test('the workspace of a check goes with its process', async () => {
  const folder = await temporary();
  const start = processStart(process.pid) ?? 0;
  const names = [`check-${process.pid}-${start}-aaaaaa`, `check-${process.pid}-${start + 1}-bbbbbb`, 'check-mine'];
  for (const name of names) await mkdir(join(folder, name));
  expect(await sweepChecks(folder)).toBe(1);
  expect(names.map((name) => existsSync(join(folder, name)))).toEqual([true, false, true]);
});
