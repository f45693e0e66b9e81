import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConflictError, InfrastructureError } from '../../src/errors.ts';
import { createCampaign, listJobs, type Store } from '../../src/store/index.ts';
import { temporary } from '../pipeline/fixture.ts';
import { describeDatabases } from '../support/databases.ts';
import { campaignIn, eventually, hostOn } from './fixture.ts';

/** An agent that waits in its first job until `go` is there. */
const waiting = (folder: string) => `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
touch "${folder}/started-\${job#job-}"
while ! test -e "${folder}/go"; do sleep 0.05; done
echo "\${job#job-}" > value.txt
`;

async function ledger(store: Store) {
  const jobs = await listJobs(store.db, 1, {}, { order: 'ascending', limit: 100 });
  return jobs.map(({ ordinal, outcome, duplicateOf, objectives, commit, state }) => ({
    ...{ ordinal, outcome, duplicateOf, objectives, commit, state },
  }));
}

/** A store whose database can be taken away. */
function interruptible(store: Store) {
  let away = false;
  const db = new Proxy(store.db, {
    get(target, name) {
      if (away) throw new InfrastructureError('the database is away');
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    store: { ...store, db },
    begin: () => {
      away = true;
    },
    end: () => {
      away = false;
    },
  };
}

describeDatabases('a host', (databases) => {
  test('runs a campaign to the end of its budget, and finds nothing to do after that', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { jobs: 6 });
    const { host, said } = await hostOn(store, workspace);
    expect(await host.run(campaign)).toEqual({ kind: 'finished', cause: 'budget.jobs: all 6 jobs are done' });
    expect(said).toEqual(['0 candidate', ...[1, 2, 3, 4, 5, 6].map((ordinal) => `${ordinal} candidate`)]);
    const status = await host.api.status('counting');
    expect(status).toMatchObject({
      state: 'finished',
      running: false,
      budget: { jobs: 6, planned: 6, settled: 6 },
      root: { objectives: { speed: 0 } },
      best: { ordinal: 6, objectives: { speed: 6 } },
      inFlight: [],
    });
    expect(await host.run(campaign)).toMatchObject({ kind: 'finished' });
    expect(said).toHaveLength(7);
  });

  test('equal trees are measured once, and the lowest ordinal is the candidate whoever was first', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const count = join(workspace, 'count');
    // Job 1 is the slowest of its batch, and all make the same tree.
    const agent = `#!/bin/sh
cat > /dev/null
case "$HOME" in *job-1/*) sleep 0.7 ;; esac
echo 5 > value.txt
`;
    const evaluator = `#!/bin/sh
echo x >> ${count}
printf '{"status":"valid","objectives":{"speed":%s}}' "$(cat value.txt)" > "$CLADE_RESULT"
`;
    const campaign = await campaignIn(workspace, { agent, evaluator, jobs: 4 });
    const { host } = await hostOn(store, workspace);
    await host.run(campaign);
    expect((await ledger(store)).map((job) => [job.outcome, job.duplicateOf])).toEqual([
      ['candidate', null],
      ['candidate', null],
      ['duplicate', 1],
      ['duplicate', 1],
      ['duplicate', 1],
    ]);
    expect(await readFile(count, 'utf8')).toBe('x\nx\n');
  });

  test('comes to the same ledger when it is interrupted and drained on its way', async () => {
    const [plain, broken] = [await databases.open(), await databases.open()];
    const options = { jobs: 8, search: 'grid: {cells: 3}' };
    const calm = await temporary();
    await (await hostOn(plain, calm)).host.run(await campaignIn(calm, options));

    const workspace = await temporary();
    const campaign = await campaignIn(workspace, options);
    for (const stop of ['interrupt', 'drain', 'interrupt'] as const) {
      const { host, said } = await hostOn(broken, workspace);
      const run = host.run(campaign);
      await eventually(() => said.length > 0);
      host[stop]();
      expect(['drained', 'interrupted']).toContain((await run).kind);
    }
    const { host } = await hostOn(broken, workspace);
    expect(await host.run(campaign)).toMatchObject({ kind: 'finished' });
    expect(await ledger(broken)).toEqual(await ledger(plain));
    const cells = async (store: Store) => (await store.db.selectFrom('placements').selectAll().execute()).length;
    expect(await cells(broken)).toBe(await cells(plain));
  });
});

describeDatabases('steering', (databases) => {
  test('a drain ends what runs and leaves what waits in its queue', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { agent: waiting(workspace), jobs: 4 });
    const { host } = await hostOn(store, workspace);
    const run = host.run(campaign);
    await eventually(() => existsSync(join(workspace, 'started-1')) && existsSync(join(workspace, 'started-2')));
    host.drain();
    await writeFile(join(workspace, 'go'), '');
    // Somebody asks at every moment of its end.
    let over = false;
    void run.then(() => {
      over = true;
    });
    const asked: Promise<unknown>[] = [];
    while (!over) {
      asked.push(host.api.status('counting'));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(asked);
    expect(await run).toEqual({ kind: 'drained' });
    const states = (await ledger(store)).map((job) => job.state);
    expect(states.slice(3)).toEqual(['queued', 'queued']);
    expect(existsSync(join(workspace, 'started-3'))).toBe(false);
  });

  test('a pause holds a foreground run until it is resumed', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { agent: waiting(workspace), jobs: 4 });
    const { host } = await hostOn(store, workspace);
    const run = host.run(campaign);
    await eventually(() => existsSync(join(workspace, 'started-1')));
    await host.api.pause('counting');
    await writeFile(join(workspace, 'go'), '');
    await eventually(async () => !(await host.api.status('counting')).running);
    expect(await host.api.status('counting')).toMatchObject({ state: 'paused', cause: 'paused by the user' });
    await host.api.resume('counting');
    expect(await run).toMatchObject({ kind: 'finished' });
    await expect(host.api.pause('counting')).rejects.toThrow(ConflictError);
  });

  test('a service wakes what rested when it started, and what ended and was given more', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { jobs: 2 });
    const first = await hostOn(store, workspace);
    await first.host.run(campaign);

    const service = await hostOn(store, workspace, 'wait');
    const more = await campaignIn(workspace, { jobs: 4 });
    const held = service.host.hold(more);
    await service.host.api.resume('counting');
    await eventually(() => service.said.includes('rest counting finished'));
    expect((await service.host.api.status('counting')).budget.settled).toBe(4);
    // Its file changed.
    void service.host.run(await campaignIn(workspace, { jobs: 6 }));
    await eventually(() => service.said.filter((line) => line === 'rest counting finished').length === 2);
    expect((await service.host.api.status('counting')).budget.settled).toBe(6);
    service.host.drain();
    expect(await held).toMatchObject({ kind: 'finished' });
  });

  test('a campaign that a service cannot open is paused with the cause, and the others go on', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const bad = await campaignIn(workspace, { name: 'bad', target: 'prepare: ["exit 3"]', jobs: 2 });
    const good = await campaignIn(workspace, { jobs: 2 });
    const { host, said } = await hostOn(store, workspace, 'wait');
    const runs = [host.run(bad), host.run(good)];
    await eventually(() => said.includes('rest counting finished') && said.includes('rest bad paused'));
    expect(await host.api.status('bad')).toMatchObject({ state: 'paused', cause: expect.stringContaining('exit 3') });
    // Mended and resumed.
    void host.run(await campaignIn(workspace, { name: 'bad', jobs: 2 }));
    await eventually(() => said.includes('rest bad finished'));
    host.drain();
    await Promise.all(runs);
  });

  test('a frozen key that changed is refused by name and leaves the state as it is', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    await host.run(await campaignIn(workspace, { jobs: 2 }));
    const changed = await campaignIn(workspace, { jobs: 4, search: 'grid: {cells: 9}' });
    await expect(host.run(changed)).rejects.toThrow('search.grid.cells is frozen');
    expect((await host.api.status('counting')).state).toBe('finished');
  });

  test('a pause that comes while the campaign is being opened holds', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const slow = await campaignIn(workspace, {
      target: `prepare: ["touch ${workspace}/opening; while ! test -e ${workspace}/go; do sleep 0.05; done"]`,
      jobs: 2,
    });
    const { host, said } = await hostOn(store, workspace);
    const run = host.run(slow);
    await eventually(() => existsSync(join(workspace, 'opening')));
    await host.api.pause('counting');
    await writeFile(join(workspace, 'go'), '');
    await eventually(() => said.includes('rest counting drained'));
    expect(await host.api.status('counting')).toMatchObject({ state: 'paused', running: false });
    expect(said).toHaveLength(1);
    await host.api.resume('counting');
    expect(await run).toMatchObject({ kind: 'finished' });
  });
});

describeDatabases('trouble', (databases) => {
  test('three faults of the machine in a row pause the campaign; resumed, the jobs are done and cost once', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const evaluator = `#!/bin/sh
test -e ${workspace}/mended || test "$(cat value.txt)" = 0 || exit 75
printf '{"status":"valid","objectives":{"speed":%s}}' "$(cat value.txt)" > "$CLADE_RESULT"
`;
    const campaign = await campaignIn(workspace, { evaluator, jobs: 4 });
    const { host } = await hostOn(store, workspace);
    const end = await host.run(campaign);
    expect(end).toMatchObject({ kind: 'paused', cause: expect.stringContaining('exit 75') });
    await writeFile(join(workspace, 'mended'), '');
    expect(await host.run(campaign)).toMatchObject({ kind: 'finished' });
    expect((await host.api.status('counting')).outcomes).toMatchObject({ candidate: 4, failed: 0 });
  });

  test('a job that Git refuses at every attempt is recorded as failed, and the campaign goes on', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    // A folder where the ref of job 2 belongs is nothing that waiting mends.
    const agent = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
echo "\${job#job-}" > value.txt
mkdir -p ${workspace}/.clade/hubs/counting.git/refs/clade/counting/2/taken
touch ${workspace}/.clade/hubs/counting.git/refs/clade/counting/2/taken/file
`;
    const { host } = await hostOn(store, workspace);
    expect(await host.run(await campaignIn(workspace, { agent, jobs: 4 }))).toMatchObject({ kind: 'finished' });
    const jobs = await listJobs(store.db, 1, {}, { order: 'ascending', limit: 9 });
    expect(jobs.map((job) => job.outcome)).toEqual(['candidate', 'candidate', 'failed', 'candidate', 'candidate']);
    expect(jobs[2]).toMatchObject({ attempt: 3, stage: 'internal', failureKind: 'GitError' });
    expect(jobs[2]?.reason).toContain('refs/clade/counting/2');
  });

  test('a mistake of the configuration pauses at once, with what to do about it', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { descriptor: 'descriptor: {kind: features}' });
    const { host, said } = await hostOn(store, workspace);
    const cause = expect.stringMatching(/no features to describe candidates by \(write "features"/);
    expect(await host.run(campaign)).toEqual({ kind: 'paused', cause });
    expect(said).toEqual([]);
  });

  test('a database that is away for a while costs no job and pauses nothing', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { jobs: 8 });
    const outage = interruptible(store);
    const { host, said } = await hostOn(outage.store, workspace);
    const run = host.run(campaign);
    await eventually(() => said.includes('1 candidate'));
    outage.begin();
    await eventually(() => said.filter((line) => line.startsWith('warning')).length > 2);
    outage.end();
    expect(await run).toMatchObject({ kind: 'finished' });
    expect((await host.api.status('counting')).outcomes).toMatchObject({ candidate: 8 });
    expect(said.filter((line) => /^\d/.test(line))).toHaveLength(9);
  });

  test('a refused root pauses with the evaluator’s reason, and a mended evaluator starts anew', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const evaluator = '#!/bin/sh\necho \'{"status":"invalid","kind":"test","summary":"red","evidence":""}\'\n';
    const { host } = await hostOn(store, workspace);
    const end = await host.run(await campaignIn(workspace, { evaluator, jobs: 2 }));
    expect(end).toMatchObject({ kind: 'paused', cause: 'the evaluator refuses the root itself (test: red)' });
    expect(await host.run(await campaignIn(workspace, { jobs: 2 }))).toMatchObject({ kind: 'finished' });
  });

  test('jobs that make nothing pause the campaign; resumed, it goes on instead of pausing again at once', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const options = { agent: '#!/bin/sh\ncat > /dev/null\n', search: 'schedule: {size: 8}' };
    const { host } = await hostOn(store, workspace);
    // The warm-up of 4 is over after one batch of 8.
    const end = await host.run(await campaignIn(workspace, { ...options, jobs: 24 }));
    expect(end).toMatchObject({ kind: 'paused', cause: expect.stringContaining('none of the first 8 jobs') });
    expect(await host.run(await campaignIn(workspace, { ...options, jobs: 24 }))).toMatchObject({
      kind: 'paused',
      cause: expect.stringContaining('16 jobs in a row'),
    });
    expect((await host.api.status('counting')).budget.settled).toBe(16);
    expect(await host.run(await campaignIn(workspace, { ...options, jobs: 24 }))).toMatchObject({ kind: 'finished' });
  });

  test('an unknown name is refused with the names that there are', async () => {
    const store = await databases.open();
    const { host } = await hostOn(store, await temporary());
    const row = { frozen: {}, live: {}, directory: '/x', rootCommit: 'c', rootTree: 't', bundleHash: 'b' };
    await createCampaign(store.db, { name: 'zstd', ...row });
    const error = await host.api.status('zst').catch((reason) => reason);
    expect(error).toMatchObject({ code: 'not_found', hint: 'there are: zstd' });
  });
});
