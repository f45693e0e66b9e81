import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CampaignStatus, CandidateView, EventView, WorkerView } from '../../src/daemon/index.ts';
import { findCampaign, getJob, listWorkers, openStore } from '../../src/store/index.ts';
import { finished } from '../support/cluster.ts';
import { describeServer } from '../support/databases.ts';
import { until, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** Adds its job to a file; job 2 takes a minute more where `SLOW` names a file. */
const AGENT = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
echo "// $job" >> pack.js
test "$job" != job-2 || ! test -e "$SLOW" || sleep 60
`;
const FILES = (jobs: number) => ({
  'target/pack.js': '// a line\n',
  'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(wc -l < pack.js)" > "$CLADE_RESULT"
`,
  'agent.sh': AGENT,
  'campaign.yaml': `name: lines
target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 2, coder: {kind: command, command: [./agent.sh], env: [SLOW]}}
search: {schedule: {size: 4}}
budget: {jobs: ${jobs}}
sandbox: "off"
`,
});

/** A daemon that only plans, and workers, each in a folder of its own as on a machine of its own. */
async function cluster(databaseUrl: string, one: Readonly<Record<string, string>> = {}) {
  const hubs = join((await openWorkspace()).dir, 'shared-hubs');
  await mkdir(hubs);
  const env = { CLADE_DATABASE_URL: databaseUrl, CLADE_HUB_URL: hubs, CLADE_LEASE_SECONDS: '3', SLOW: '' };
  const [leader, first, other] = [
    await openWorkspace(env),
    await openWorkspace({ ...env, ...one }),
    await openWorkspace(env),
  ];
  return { leader, one: first, other, hubs };
}

describeServer('workers on other machines', (databases) => {
  it('do the jobs that a daemon plans, and nothing is left to it but planning', async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const { leader, one, other } = await cluster(databaseUrl);
    await leader.campaign('lines', FILES(8));
    const daemon = leader.start('daemon', '--no-work');
    const workers = [
      one.start('worker', '--roles', 'generate', '--slots', '2'),
      other.start('worker', '--roles', 'evaluate', '--label', 'bench'),
    ];
    await daemon.says(/"serving"/);
    const status = await finished(leader, 'lines');
    expect(status).toMatchObject({ outcomes: { candidate: 8 }, budget: { settled: 8 } });
    for (const worker of workers) worker.signal('SIGTERM');
    for (const worker of workers) expect((await worker.ended).code).toBe(0);
    daemon.signal('SIGTERM');
    expect((await daemon.ended).code).toBe(0);

    const store = await openStore({ workspace: leader.dir, databaseUrl, label: 'a test' });
    try {
      const campaign = await findCampaign(store.db, 'lines');
      expect(campaign?.label).toBe('bench');
      const { job, evaluations } = await getJob(store.db, campaign?.id ?? 0, 3);
      expect(job.worker).not.toBeNull();
      expect(evaluations[0]?.worker).not.toBe(job.worker);
      expect(await listWorkers(store.db)).toEqual([]);
    } finally {
      await store.close();
    }
  }, 120_000);

  it('that are killed in mid-job are taken over from, and what they held is done again', async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const slow = join((await openWorkspace()).dir, 'slow');
    await writeFile(slow, '');
    const { leader, one, other } = await cluster(databaseUrl, { SLOW: slow });
    await leader.campaign('lines', FILES(4));
    const daemon = leader.start('daemon', '--no-work');
    const doomed = one.start('worker');
    await doomed.says(/works on lines/);
    const settled = async () => (await leader.ask<CampaignStatus>('status', 'lines')).budget.settled;
    while ((await settled()) < 1) await new Promise((resolve) => setTimeout(resolve, 200));
    doomed.press('SIGKILL');
    await doomed.ended;
    await rm(slow);
    const helpers = [other.start('worker'), one.start('worker')];
    const status = await finished(leader, 'lines');
    expect(status.outcomes.candidate).toBe(4);
    const events = await leader.ask<EventView[]>('log', 'lines', '--limit', '500');
    expect(events.some(({ kind }) => kind === 'campaign.recovered')).toBe(true);
    // What the coder had changed is on the machine of the killed worker, which kept it when it came back.
    const left = events.find(({ kind }) => kind === 'worker.reconciled');
    expect(left?.data).toMatchObject({
      interrupted: expect.arrayContaining([expect.objectContaining({ ordinal: 2, truncated: false })]),
    });
    expect((await leader.ask<CandidateView>('show', 'lines:2')).artifacts.map(({ name }) => name)).toContain(
      'interrupted.patch',
    );
    for (const helper of helpers) helper.signal('SIGTERM');
    for (const helper of helpers) await helper.ended;
    daemon.signal('SIGTERM');
    await daemon.ended;
    expect(await readFile(join(leader.dir, 'campaigns/lines/target/pack.js'), 'utf8')).toBe('// a line\n');
  }, 120_000);

  it('are missed when there is none, and pause the campaign when none of them gets on', async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const { leader, one } = await cluster(databaseUrl, { CLADE_DISK_FLOOR_MIB: String(2 ** 40) });
    await leader.campaign('lines', FILES(4));
    const daemon = leader.start('daemon', '--no-work');
    const ask = async <T>(...argv: string[]) =>
      JSON.parse((await leader.run(...argv, '--json')).stdout || 'null') as T | null;
    const status = () => ask<CampaignStatus>('status', 'lines');
    const idle = await until(status, (found) => (found?.waitsFor ?? []).length > 0);
    expect(idle).toMatchObject({ state: 'running', waitsFor: ['1 piece of work waits for a worker that evaluates'] });
    // One has no room, which is waited out; another one cannot reach the hubs.
    const full = one.start('worker');
    const workers = await until(
      () => ask<WorkerView[]>('workers'),
      (found) => found?.some(({ faults }) => 'disk' in faults) === true,
    );
    expect(workers).toMatchObject([
      { roles: [], faults: {} },
      { roles: ['generate', 'evaluate'], faults: { disk: expect.stringContaining('has less than') }, holds: [] },
    ]);
    expect(await status()).toMatchObject({ state: 'running', waitsFor: idle?.waitsFor });
    const lost = await openWorkspace({
      CLADE_DATABASE_URL: databaseUrl,
      CLADE_HUB_URL: '/dev/null/hubs',
      CLADE_LEASE_SECONDS: '3',
    });
    const ailing = lost.start('worker');
    const paused = await until(status, (found) => found?.state === 'paused');
    expect(paused?.cause).toMatch(/^no worker that evaluates gets on \(/);
    for (const process of [full, ailing, daemon]) process.signal('SIGTERM');
    for (const process of [full, ailing, daemon]) expect((await process.ended).code).toBe(0);
  }, 120_000);
});
