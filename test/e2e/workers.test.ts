import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CampaignStatus, EventView } from '../../src/daemon/index.ts';
import { findCampaign, getJob, listWorkers, openStore } from '../../src/store/index.ts';
import { finished } from '../support/cluster.ts';
import { describeServer } from '../support/databases.ts';
import { workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** Adds its job to a file; one job takes a minute where `SLOW` names it. */
const AGENT = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
test "\${job#job-}" != "$SLOW" || sleep 60
echo "// $job" >> pack.js
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
async function cluster(databaseUrl: string, slow = '') {
  const first = await openWorkspace();
  const hubs = join(first.dir, 'shared-hubs');
  await mkdir(hubs);
  const env = { CLADE_DATABASE_URL: databaseUrl, CLADE_HUB_URL: hubs, CLADE_LEASE_SECONDS: '3', SLOW: '' };
  const [leader, one, other] = [
    await openWorkspace(env),
    await openWorkspace({ ...env, SLOW: slow }),
    await openWorkspace(env),
  ];
  return { leader, one, other, hubs };
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
    const { leader, one, other } = await cluster(databaseUrl, '2');
    await leader.campaign('lines', FILES(4));
    const daemon = leader.start('daemon', '--no-work');
    const doomed = one.start('worker');
    await doomed.says(/works on lines/);
    const settled = async () => (await leader.ask<CampaignStatus>('status', 'lines')).budget.settled;
    while ((await settled()) < 1) await new Promise((resolve) => setTimeout(resolve, 200));
    doomed.press('SIGKILL');
    const helper = other.start('worker');
    const status = await finished(leader, 'lines');
    expect(status.outcomes.candidate).toBe(4);
    const events = await leader.ask<EventView[]>('log', 'lines', '--limit', '500');
    expect(events.some(({ kind }) => kind === 'campaign.recovered')).toBe(true);
    helper.signal('SIGTERM');
    await helper.ended;
    daemon.signal('SIGTERM');
    await daemon.ended;
    expect(await readFile(join(leader.dir, 'campaigns/lines/target/pack.js'), 'utf8')).toBe('// a line\n');
  }, 120_000);
});
