import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missing, refuse } from '../../src/daemon/retry.ts';
import { NotFoundError } from '../../src/errors.ts';
import { temporary } from '../pipeline/fixture.ts';
import { describeDatabases } from '../support/databases.ts';
import { campaignIn, eventually, hostOn } from './fixture.ts';

/** Job 2 changes nothing; those of the second batch wait for `go`. */
const agent = (folder: string) => `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
job=\${job#job-}
if test "$job" = 2; then exit 0; fi
if test "$job" -gt 4; then touch "${folder}/begun"; while ! test -e "${folder}/go"; do sleep 0.05; done; fi
echo "$job" > value.txt
`;

describeDatabases('another try', (databases) => {
  test('is a job of its own with what the first one had, planned once, and explained', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { agent: agent(workspace), jobs: 12 });
    const first = await hostOn(store, workspace);
    const stretch = first.host.run(campaign);
    await eventually(() => existsSync(join(workspace, 'begun')));
    const { api } = first.host;
    expect(await api.retry('counting', 2)).toEqual({
      ...{ campaign: 'counting', ordinal: 2, added: true, first: null },
    });
    expect(await api.retry('counting', 2)).toMatchObject({ added: false });
    await expect(api.retry('counting', 1)).rejects.toThrow('nothing to try again');
    await expect(api.retry('counting', 5)).rejects.toThrow('not over yet');
    await expect(api.retry('counting', 0)).rejects.toThrow('made by no agent');
    await expect(api.retry('counting', 99)).rejects.toThrow(NotFoundError);
    expect((await api.job('counting', 2)).tries).toEqual({ of: null, again: [], waits: true });
    first.host.interrupt();
    await stretch;

    await writeFile(join(workspace, 'go'), '');
    const { host } = await hostOn(store, workspace);
    expect(await host.run(campaign)).toMatchObject({ kind: 'finished' });
    const jobs = await host.api.jobs('counting', { limit: 20 });
    expect(jobs.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const [second, ninth] = [jobs[2], jobs[9]];
    expect(second).toMatchObject({ outcome: 'no_change' });
    expect(ninth).toMatchObject({
      kind: 'generate',
      outcome: 'candidate',
      base: second?.base,
      inspirations: second?.inspirations,
    });
    expect(await host.api.job('counting', 9)).toMatchObject({
      tries: { of: 2, again: [], waits: false },
      decision: { policy: 'retry', of: 2 },
      staleness: 0,
    });
    expect((await host.api.job('counting', 2)).tries).toEqual({ of: null, again: [9], waits: false });
    expect(await host.api.status('counting')).toMatchObject({ budget: { jobs: 12, planned: 12, settled: 12 } });

    const explained = await Promise.all(jobs.slice(1).map(({ ordinal }) => host.api.explain('counting', ordinal)));
    expect(explained.map(({ replay }) => replay.result)).toEqual(
      explained.map(({ ordinal }) => (ordinal === 9 ? 'not possible' : 'same')),
    );
    const { base, coder } = await host.api.explain('counting', 9);
    expect([...base.because, ...coder.because].join(' ')).toMatch(/another try of job 2.*the job that is tried again/);
    const events = await host.api.events('counting', { limit: 100 });
    expect(events.filter(({ kind }) => kind === 'job.retry_asked')).toMatchObject([{ ordinal: 2 }]);
    expect(await host.api.retry('counting', 2)).toMatchObject({
      added: true,
      first: expect.stringContaining('budget.jobs'),
    });
  });
});

test('is refused where there is nothing to try again, with what to do instead', () => {
  const failed = { ordinal: 3, kind: 'generate', state: 'settled', outcome: 'failed' } as const;
  for (const outcome of ['failed', 'invalid', 'no_change', 'duplicate'] as const) {
    expect(refuse('c', { ...failed, outcome })).toBeNull();
  }
  expect(refuse('c', { ...failed, outcome: 'candidate' })?.message).toContain('valid candidate');
  expect(refuse('c', { ...failed, kind: 'seed' })?.hint).toContain('clade seed');
  expect(refuse('c', { ...failed, state: 'queued', outcome: null })?.hint).toContain('clade cancel c:3');
  // A job that was cancelled while nobody ran: to cancel it again would be refused.
  expect(refuse('c', { ...failed, state: 'failed' })?.hint).not.toContain('clade cancel');
});

test('waits for what has to be done first', () => {
  const state = (state: 'running' | 'paused' | 'stopped' | 'finished') =>
    missing({ name: 'c', state }, { jobs: 10 }, 9);
  expect(state('running')).toBeNull();
  expect(state('paused')).toContain('clade resume c');
  expect(state('stopped')).toContain('clade resume c');
  expect(state('finished')).toContain('run it again');
  expect(missing({ name: 'c', state: 'running' }, { jobs: 10 }, 10)).toContain('budget.jobs');
});
