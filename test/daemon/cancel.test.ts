import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databaseApi } from '../../src/daemon/index.ts';
import { ConflictError, NotFoundError } from '../../src/errors.ts';
import { temporary } from '../pipeline/fixture.ts';
import { describeDatabases, describeServer } from '../support/databases.ts';
import { campaignIn, eventually, hostOn } from './fixture.ts';

/** An agent whose job 1 leaves its process id and waits for ever; the others wait for `go`. */
const stuck = (folder: string) => `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
job=\${job#job-}
if test "$job" = 1; then echo $$ > "${folder}/pid.half"; mv "${folder}/pid.half" "${folder}/pid"; exec sleep 600; fi
while ! test -e "${folder}/go"; do sleep 0.05; done
echo "$job" > value.txt
`;

/** An evaluator that measures a value of 1 for ever, and says of each how often it began. */
const slow = (folder: string) => `#!/bin/sh
value=$(cat value.txt)
echo "$value" >> "${folder}/measured"
if test "$value" = 1; then echo $$ > "${folder}/pid.half"; mv "${folder}/pid.half" "${folder}/pid"; while ! test -e "${folder}/go"; do sleep 0.05; done; fi
printf '{"status":"valid","objectives":{"speed":%s}}' "$value" > "$CLADE_RESULT"
`;

const CANCELLED = { state: 'settled', outcome: 'failed', stage: 'cancelled', failureKind: 'user', commit: null };

async function isGone(pidFile: string): Promise<boolean> {
  const pid = (await readFile(pidFile, 'utf8')).trim();
  return !existsSync(`/proc/${pid}`);
}

describeDatabases('cancelling', (databases) => {
  test('ends a job that is generated now: its processes are gone, its batch goes on, the budget is charged', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { agent: stuck(workspace), jobs: 4 });
    const { host } = await hostOn(store, workspace);
    const run = host.run(campaign);
    await eventually(() => existsSync(join(workspace, 'pid')));
    expect(await host.api.cancel('counting', 1)).toEqual({ campaign: 'counting', ordinal: 1, was: 'generating' });
    // The others still run: nothing but the cancelling can have ended it.
    await eventually(() => isGone(join(workspace, 'pid')));
    await writeFile(join(workspace, 'go'), '');
    expect(await run).toMatchObject({ kind: 'finished' });
    const [, first, ...others] = await host.api.jobs('counting', { limit: 10 });
    expect(first).toMatchObject(CANCELLED);
    expect(others.map(({ outcome }) => outcome)).toEqual(['candidate', 'candidate', 'candidate']);
    expect(await host.api.status('counting')).toMatchObject({ budget: { jobs: 4, planned: 4, settled: 4 } });
    const events = await host.api.events('counting', { limit: 100 });
    expect(events.filter(({ kind }) => kind === 'job.cancelled')).toMatchObject([
      { ordinal: 1, data: { was: 'generating' } },
    ]);
  });

  test('ends a job that is measured now, and none that is over or not there', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { evaluator: slow(workspace), jobs: 2 });
    const { host } = await hostOn(store, workspace);
    const run = host.run(campaign);
    await eventually(() => existsSync(join(workspace, 'pid')));
    expect(await host.api.cancel('counting', 1)).toMatchObject({ was: 'generated' });
    await expect(host.api.cancel('counting', 1)).rejects.toThrow(ConflictError);
    expect(await run).toMatchObject({ kind: 'finished' });
    expect(await isGone(join(workspace, 'pid'))).toBe(true);
    expect(await host.api.job('counting', 1)).toMatchObject({ outcome: 'failed', stage: 'cancelled' });
    expect(await host.api.status('counting')).toMatchObject({ best: { ordinal: 2 } });
    await expect(host.api.cancel('counting', 0)).rejects.toThrow(ConflictError);
    await expect(host.api.cancel('counting', 7)).rejects.toThrow(NotFoundError);
  });

  test('leaves a measurement that another job waits for', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const agent = '#!/bin/sh\ncat > /dev/null\necho 1 > value.txt\n';
    const campaign = await campaignIn(workspace, { agent, evaluator: slow(workspace), jobs: 2 });
    const { host } = await hostOn(store, workspace);
    const run = host.run(campaign);
    await eventually(async () => {
      if (!existsSync(join(workspace, 'pid'))) return false;
      return (await host.api.jobs('counting', { limit: 9 })).every(({ commit }) => commit !== null);
    });
    const { inFlight } = await host.api.status('counting');
    const owner = inFlight.find(({ stage }) => stage === 'evaluate')?.ordinal ?? 0;
    await host.api.cancel('counting', owner);
    await writeFile(join(workspace, 'go'), '');
    expect(await run).toMatchObject({ kind: 'finished' });
    const jobs = await host.api.jobs('counting', { limit: 9 });
    expect(jobs.map(({ outcome }) => outcome)).toEqual(
      [0, 1, 2].map((ordinal) => (ordinal === owner ? 'failed' : 'candidate')),
    );
    expect((await readFile(join(workspace, 'measured'), 'utf8')).match(/^1$/gm)).toHaveLength(1);
  });
});

describeServer('cancelling from another process', (databases) => {
  test('reaches whoever works on the job', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { agent: stuck(workspace), jobs: 2 });
    const { host } = await hostOn(store, workspace);
    const run = host.run(campaign);
    await eventually(() => existsSync(join(workspace, 'pid')));
    await databaseApi(store.db, workspace).cancel('counting', 1);
    await eventually(() => isGone(join(workspace, 'pid')));
    await writeFile(join(workspace, 'go'), '');
    expect(await run).toMatchObject({ kind: 'finished' });
    expect(await host.api.job('counting', 1)).toMatchObject({ outcome: 'failed', stage: 'cancelled' });
  });
});
