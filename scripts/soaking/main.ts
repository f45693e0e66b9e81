/** See scripts/soak. */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { CampaignStatus } from '../../src/daemon/index.ts';
import { generatorFor } from '../../src/qd/index.ts';
import { openStore } from '../../src/store/index.ts';
import { createDatabase, freePort, startCluster } from '../../test/support/postgres.ts';
import { writeCampaign } from './campaign.ts';
import { type Check, checkLedger, checkLeftovers } from './checks.ts';
import { FAULTS, pickFault } from './faults.ts';
import { openHost } from './host.ts';
import { held } from './inspect.ts';
import { byQuarter, type Sample } from './memory.ts';

const LEASE_SECONDS = 5;
/** Between two faults; on average. */
const PAUSE_MS = 8_000;
const SAMPLE_MS = 2_000;
const LINE_MS = 15_000;
/** The last fault may have started a process that has not come so far as to hear a signal. */
const SETTLE_MS = 10_000;
/** How much more memory the last quarter may take than the second. */
const GROWTH = 1.1;

const [jobs = 5_000, seed = 1] = process.argv.slice(2).map(Number);
if (![jobs, seed].every((value) => Number.isSafeInteger(value) && value > 0)) {
  process.stderr.write('usage: scripts/soak [JOBS [SEED]]\n');
  process.exit(2);
}
const cluster = await startCluster();
if (cluster === undefined)
  throw new Error('there is no PostgreSQL server on this machine; on Debian: apt-get install postgresql');
const folder = await mkdtemp(join(tmpdir(), 'clade-soak-'));
const hubs = join(folder, 'hubs');
const databaseUrl = await createDatabase(cluster.url);
const env = {
  CLADE_DATABASE_URL: databaseUrl,
  CLADE_HUB_URL: hubs,
  CLADE_LEASE_SECONDS: String(LEASE_SECONDS),
  CLADE_LABEL: 'soak',
};
const inspector = await freePort();
const leader = await openHost(join(folder, 'leader'), { ...env, NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }, [
  'daemon',
  '--no-work',
]);
const workers = await Promise.all(
  ['one', 'two'].map((name) => openHost(join(folder, name), env, ['worker', '--slots', '2', '--lanes', '1'])),
);
const file = await writeCampaign(leader.dir, jobs);
await execa('mkdir', ['-p', hubs]);
const scene = { leader, workers, cluster, file, jobs, leaseMs: LEASE_SECONDS * 1000, torn: new Set<string>() };
const rng = generatorFor({ seed, island: 0, ordinal: 0, purpose: 'soak' });
const say = (text: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);

const mib = (bytes: number | null): string => (bytes === null ? 'unknown' : `${(bytes / 2 ** 20).toFixed(1)} MiB`);

const samples: Sample[] = [];
const made = new Map<string, number>();
let settled = 0;
let state = '';
const began = performance.now();

/** What the daemon says of the campaign; as it was when the daemon or the database does not answer. */
async function look(): Promise<void> {
  const text = await leader.ask('status', 'soak', '--json').catch(() => null);
  if (text === null) return;
  const status: CampaignStatus = JSON.parse(text);
  // A pause that no fault of ours is behind: go on, and say so.
  if (status.state === 'paused') {
    say(`paused: ${status.cause}`);
    if (status.cause !== 'paused by the user') await leader.ask('resume', 'soak').catch(() => undefined);
  }
  ({ state } = status);
  settled = status.budget.settled;
}

leader.start();
for (const worker of workers) worker.start();
say(`${jobs} jobs in ${folder}`);
let nextFault = performance.now() + PAUSE_MS;
let nextLine = 0;
for (let nextLook = 0; state !== 'finished'; ) {
  await sleep(SAMPLE_MS);
  const now = performance.now();
  if (now > nextLook) {
    await look();
    nextLook = now + 5 * SAMPLE_MS;
  }
  if (now > nextLine) {
    const { heap, external, resident } = await held(inspector);
    samples.push({ settled, bytes: resident });
    const use = `daemon ${mib(resident)} after a collection, ${mib(heap + external)} in use`;
    say(`${settled} settled, ${use}, load ${loadavg()[0]?.toFixed(1)}`);
    nextLine = now + LINE_MS;
  }
  if (now > nextFault && settled > 0) {
    const name = pickFault(rng);
    say(name);
    made.set(name, (made.get(name) ?? 0) + 1);
    await FAULTS[name]?.make(scene, rng).catch((error: Error) => say(`${name}: ${error.message}`));
    nextFault = performance.now() + PAUSE_MS / 2 + rng.below(PAUSE_MS);
  }
}
const seconds = (performance.now() - began) / 1000;
await sleep(SETTLE_MS);
const codes = await Promise.all([leader, ...workers].map((host) => host.end('SIGTERM')));
const store = await openStore({ workspace: leader.dir, databaseUrl, label: 'the soak' });
const [, second = null, , last = null] = byQuarter(samples, jobs);
const checks: Check[] = [
  ...(await checkLedger(store, leader.dir, hubs, jobs)),
  ...(await checkLeftovers([leader, ...workers], scene.torn)),
  {
    what: `memory of the daemon is flat: ${mib(second)} in the second quarter, ${mib(last)} in the last`,
    holds: second !== null && last !== null && last <= second * GROWTH,
    found: byQuarter(samples, jobs).map(mib).join(', '),
  },
  {
    what: 'daemon and workers ended by themselves when they were asked to',
    holds: codes.every((code) => code === 0),
    found: codes.join(', '),
  },
];
await store.close();
await cluster.stop();
for (const { what, holds, found } of checks)
  process.stdout.write(`${holds ? 'holds' : 'FAILS'}  ${what}${holds ? '' : ` (${found})`}\n`);
process.stdout.write(
  `${JSON.stringify({ jobs, seed, seconds: Math.round(seconds), faults: Object.fromEntries(made), quarters: byQuarter(samples, jobs), failed: checks.filter(({ holds }) => !holds).length })}\n`,
);
if (checks.every(({ holds }) => holds)) await rm(folder, { recursive: true, force: true });
else process.exitCode = 1;
