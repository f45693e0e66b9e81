import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobView } from '../../src/daemon/index.ts';
import type { Rng } from '../../src/qd/index.ts';
import type { Cluster } from '../../test/support/postgres.ts';
import { campaignFile } from './campaign.ts';
import type { Host } from './host.ts';

/** What faults are made to. */
export interface Scene {
  readonly leader: Host;
  readonly workers: readonly Host[];
  readonly cluster: Cluster;
  /** Path of the campaign file. */
  readonly file: string;
  readonly jobs: number;
  readonly leaseMs: number;
  /** Checkouts that were torn out: those of the end are not used again, and stay registered until the next campaign. */
  readonly torn: Set<string>;
}

interface Fault {
  /** How often it is made, against the others. */
  readonly weight: number;
  make(scene: Scene, rng: Rng): Promise<void>;
}

/** By what is done. One more is one more entry. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'a worker is killed': {
    weight: 6,
    async make({ workers }, rng) {
      const worker = rng.pick(workers);
      await worker.end('SIGKILL');
      worker.start();
    },
  },
  'a worker ends in the middle of its jobs': {
    weight: 3,
    async make({ workers }, rng) {
      const worker = rng.pick(workers);
      worker.signal('SIGTERM');
      await worker.end('SIGTERM');
      worker.start();
    },
  },
  'a worker is suspended for longer than its lease': {
    weight: 2,
    async make({ workers, leaseMs }, rng) {
      const worker = rng.pick(workers);
      worker.signal('SIGSTOP');
      await sleep(leaseMs + rng.below(3000));
      worker.signal('SIGCONT');
    },
  },
  'the database restarts': {
    weight: 1,
    async make({ cluster }, rng) {
      await cluster.halt();
      await sleep(rng.below(3000));
      await cluster.resume();
    },
  },
  'the campaign is paused and goes on': {
    weight: 2,
    async make({ leader }, rng) {
      try {
        await leader.ask('pause', 'soak');
        await sleep(rng.below(2000));
      } finally {
        await leader.ask('resume', 'soak');
      }
    },
  },
  'a job is cancelled': {
    weight: 3,
    async make({ leader }, rng) {
      const jobs: JobView[] = JSON.parse(await leader.ask('jobs', 'soak', '-n', '12', '--json'));
      const open = jobs.filter(({ state, ordinal }) => state !== 'settled' && state !== 'failed' && ordinal > 0);
      // It may be over by the time it is asked for.
      if (open.length > 0) await leader.ask('cancel', `soak:${rng.pick(open).ordinal}`).catch(() => undefined);
    },
  },
  'a job is tried again': {
    weight: 2,
    async make({ leader }, rng) {
      const jobs: JobView[] = JSON.parse(await leader.ask('jobs', 'soak', '-n', '30', '--outcome', 'failed', '--json'));
      if (jobs.length > 0) await leader.ask('retry', `soak:${rng.pick(jobs).ordinal}`).catch(() => undefined);
    },
  },
  'a live key changes': {
    weight: 1,
    async make({ file, jobs }, rng) {
      const fresh = `${file}.new`;
      await writeFile(fresh, campaignFile(jobs, 1 + rng.below(3)));
      await rename(fresh, file);
    },
  },
  'the checkout of a lane is torn out': {
    weight: 2,
    async make({ workers, torn }, rng) {
      const lanes = join(rng.pick(workers).dir, '.clade/lanes/soak');
      const names = (await readdir(lanes).catch(() => [])).filter((name) => !name.includes('.'));
      if (names.length === 0) return;
      const lane = join(lanes, rng.pick(names));
      torn.add(lane);
      await rm(lane, { recursive: true, force: true });
    },
  },
  'a lock is left in a hub': {
    weight: 1,
    async make({ workers }, rng) {
      const hub = join(rng.pick(workers).dir, '.clade/hubs/soak.git');
      await mkdir(join(hub, 'refs/clade/soak'), { recursive: true });
      await writeFile(join(hub, 'packed-refs.lock'), '');
      await sleep(500);
      await rm(join(hub, 'packed-refs.lock'), { force: true });
    },
  },
};

/** One of them, by weight. */
export function pickFault(rng: Rng): string {
  const bag = Object.entries(FAULTS).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));
  return rng.pick(bag);
}
