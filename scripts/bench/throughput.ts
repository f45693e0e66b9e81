import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { createDatabase, startCluster } from '../../test/support/postgres.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { inTemporaryFolder } from './folder.ts';
import { writeTarget } from './overhead/target.ts';

const CLADE = join(import.meta.dirname, '../../src/cli/clade.ts');
const SLOTS = [1, 2, 4, 8, 32];
/** An agent waits for its model most of the time. */
const SLEEP_SECONDS = 4;
/** Rounds of all slots. */
const ROUNDS = 4;

/** How many jobs a minute a daemon and one worker come to, when agents do nothing but wait. */
export const throughput: Benchmark = {
  name: 'throughput',
  about: `a daemon and a worker on PostgreSQL, ${SLOTS.join(', ')} slots of agents that sleep ${SLEEP_SECONDS} s`,
  async run() {
    const cluster = await startCluster();
    if (cluster === undefined) throw new Error('there is no PostgreSQL server on this machine');
    try {
      const figures: Figure[] = [];
      for (const slots of SLOTS) {
        const { jobs, seconds } = await measure(cluster.url, slots);
        const ideal = slots / SLEEP_SECONDS;
        figures.push(
          { what: `${slots} slots: jobs a minute`, value: (jobs / seconds) * 60, unit: 'jobs' },
          { what: `${slots} slots: of what sleeping alone would allow`, value: jobs / seconds / ideal, unit: '×' },
        );
      }
      return {
        figures,
        notes: [
          'From the settlement of the root to that of the last job, streaming schedule, two evaluation lanes in the same worker; agents sleep, ' +
            'edit one line and end. Daemon, worker and database share the machine.',
        ],
      };
    } finally {
      await cluster.stop();
    }
  },
};

async function measure(server: string, slots: number): Promise<{ jobs: number; seconds: number }> {
  const database = await createDatabase(server);
  const jobs = slots * ROUNDS;
  return inTemporaryFolder(async (folder) => {
    const { repository, evaluator, agent } = await writeTarget(folder);
    const env = { CLADE_DATABASE_URL: database, CLADE_HUB_URL: join(folder, 'hubs'), CLADE_LEASE_SECONDS: '10' };
    const leader = join(folder, 'leader');
    const campaign = join(leader, 'campaigns', 'bench');
    await execa('mkdir', ['-p', campaign, join(folder, 'worker')]);
    await execa('cp', [evaluator, join(campaign, 'evaluate.sh')]);
    await writeFile(
      join(campaign, 'campaign.yaml'),
      JSON.stringify({
        target: { repository, edit: ['src/**'] },
        goal: 'Nothing: this campaign measures how much can be done at once.',
        evaluator: { command: ['sh', 'evaluate.sh'], objectives: [{ name: 'score', direction: 'maximize' }] },
        agents: {
          concurrency: slots,
          coder: { kind: 'command', command: ['sh', '-c', `sleep ${SLEEP_SECONDS}; ${agent}`] },
        },
        search: { schedule: { mode: 'streaming', slots } },
        budget: { jobs },
      }),
    );
    const clade = (workspace: string, ...argv: string[]) =>
      execa(process.execPath, [CLADE, '--workspace', join(folder, workspace), ...argv], { env, reject: false });
    const daemon = clade('leader', 'daemon', '--no-work');
    const worker = clade('worker', 'worker', '--slots', `${slots}`, '--lanes', '2');
    try {
      for (;;) {
        await wait(500);
        const { stdout } = await clade('leader', 'status', 'bench', '--json');
        const { state, cause } = JSON.parse(stdout === '' ? '{}' : stdout);
        if (state === 'finished') break;
        if (state !== undefined && state !== 'running') throw new Error(`the campaign is ${state}: ${cause}`);
      }
      const { stdout } = await clade('leader', 'log', 'bench', '--limit', '1000', '--json');
      const settled = (JSON.parse(stdout) as { kind: string; at: string }[]).filter(
        ({ kind }) => kind === 'job.settled',
      );
      const times = settled.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
      return { jobs, seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000 };
    } finally {
      for (const running of [worker, daemon]) running.kill('SIGTERM');
      await Promise.all([worker, daemon]);
    }
  });
}
