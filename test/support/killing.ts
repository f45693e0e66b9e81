/** Campaigns that are killed again and again. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRefs, openHub } from '../../src/git/index.ts';
import type { Rng } from '../../src/qd/index.ts';
import type { Shared } from './cluster.ts';
import { finished } from './cluster.ts';
import type { Clade, Ended, Workspace } from './workspace.ts';

/** How often a killed run must really have been killed for a test to say so: on a quick machine it may be over first. */
const LEAST_PART = 0.5;

/**
 * Runs a campaign and ends it by SIGKILL, `kills` times, each time when `moment` has come; then lets it come to its end.
 * @throws when the campaign was over before half of the kills: then the test has shown nothing.
 */
export async function killRuns(
  workspace: Workspace,
  folder: string,
  kills: number,
  moment: (clade: Clade, kill: number) => Promise<void>,
): Promise<void> {
  let killed = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const clade = workspace.start('run', folder);
    const over = await Promise.race([
      moment(clade, kill).then(
        () => null,
        () => clade.ended,
      ),
      clade.ended,
    ]);
    if (over === null) clade.signal('SIGKILL');
    const { code, stderr } = await clade.ended;
    if (stderr !== '' || (code !== null && code !== 0))
      throw new Error(`a run that was to be killed ended by ${code}: ${stderr}`);
    if (code === 0) break;
    killed += 1;
  }
  if (killed < kills * LEAST_PART) throw new Error(`over after ${killed} of ${kills} kills`);
  const end: Ended = await workspace.run('run', folder);
  if (end.code !== 0 || end.stderr !== '') throw new Error(`the last run ended by ${end.code}: ${end.stderr}`);
}

/** What there was to see of it. */
export interface Killing {
  readonly leader: Workspace;
  readonly hosts: readonly Workspace[];
  /** Kills of the daemon, and of workers, before the campaign was over. */
  readonly daemon: number;
  readonly workers: number;
  readonly seconds: number;
}

interface Victim {
  readonly host: Workspace;
  readonly argv: readonly string[];
  clade: Clade;
}

/**
 * Runs a campaign with a daemon that only plans and workers of one slot and one lane, each a host of its own. Ends a random one of them by
 * SIGKILL and starts it again, `kills` times or until the campaign is over, and then lets them come to the end.
 */
export async function killAndFinish(
  shared: Shared,
  files: Readonly<Record<string, string>>,
  { workers, kills, rng }: { readonly workers: number; readonly kills: number; readonly rng: Rng },
): Promise<Killing> {
  const began = performance.now();
  const begin = async (argv: readonly string[]): Promise<Victim> => {
    const host = await shared.host();
    if (argv[0] === 'daemon') await host.campaign('ledger', files);
    return { host, argv, clade: host.start(...argv) };
  };
  const leader = await begin(['daemon', '--no-work']);
  const others = await Promise.all(
    Array.from({ length: workers }, () => begin(['worker', '--slots', '1', '--lanes', '1'])),
  );
  const all = [leader, ...others];
  await leader.clade.says(/"serving ledger"/);
  const killed = { daemon: 0, workers: 0 };
  let over = false;
  const end = finished(leader.host, 'ledger').then(() => {
    over = true;
  });
  while (!over && killed.daemon + killed.workers < kills) {
    await sleep(100 + rng.below(900));
    const victim = all[rng.below(all.length)];
    if (victim === undefined || over) continue;
    victim.clade.signal('SIGKILL');
    await victim.clade.ended;
    killed[victim === leader ? 'daemon' : 'workers'] += 1;
    victim.clade = victim.host.start(...victim.argv);
  }
  await end;
  const seconds = (performance.now() - began) / 1000;
  for (const { clade } of all) clade.signal('SIGTERM');
  for (const { clade } of all) await clade.ended;
  return { leader: leader.host, hosts: all.map(({ host }) => host), ...killed, seconds };
}

/** The commits that a hub holds, `ref commit`, by ordinal. */
export async function refsOf(dir: string): Promise<string[]> {
  const hub = await openHub(join(dir, 'ledger.git'));
  const refs = [...(await listRefs(hub, 'refs/clade/ledger/'))].map((pair) => pair.join(' '));
  return refs.sort(new Intl.Collator('en', { numeric: true }).compare);
}
