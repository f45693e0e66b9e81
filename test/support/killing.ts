/** A campaign on a daemon and workers that are killed again and again. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRefs, openHub } from '../../src/git/index.ts';
import type { Rng } from '../../src/qd/index.ts';
import type { Shared } from './cluster.ts';
import { finished } from './cluster.ts';
import type { Clade, Workspace } from './workspace.ts';

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
