import { createPopulation, type Population } from '../../src/qd/index.ts';
import { openStore } from '../../src/store/index.ts';
import type { Benchmark, Figure, Report } from './benchmark.ts';
import { inTemporaryFolder } from './folder.ts';
import { openCourt } from './settlement/court.ts';
import { type Settled, settleChunk } from './settlement/history.ts';

const JOBS = 10_000;
/** Jobs that are made by one insert and settled before the next. */
const CHUNK = 50;
/** The young history is the jobs of this range, the old one as many jobs at the end. */
const YOUNG = { from: 100, to: 400 };
/** With fewer, early and late jobs would be the same. */
const LEAST = 2_000;

/** What settling a job costs as the history grows: the daemon's own transactions, on the embedded database. */
export const settlement: Benchmark = {
  name: 'settlement',
  about: `settling ${JOBS} jobs through the daemon on the embedded database: late jobs against early ones (--jobs N)`,
  async run({ jobs = JOBS }) {
    if (jobs < LEAST) throw new RangeError(`--jobs must be at least ${LEAST}, got ${jobs}`);
    return inTemporaryFolder(async (folder) => {
      const store = await openStore({ workspace: folder, label: 'bench settlement' });
      try {
        const court = await openCourt(store, folder);
        const { search, evaluator } = court.campaign;
        const islands = [createPopulation({ ...search, objectives: evaluator.objectives })];
        const settled: Settled[] = [];
        for (let first = 0; first < jobs; first += CHUNK) {
          settled.push(...(await settleChunk(court, islands, { first, count: Math.min(CHUNK, jobs - first) })));
        }
        return report(settled, islands);
      } finally {
        await store.close();
      }
    });
  },
};

function report(settled: readonly Settled[], [population]: readonly Population[]): Report {
  const young = settled.slice(YOUNG.from, YOUNG.to);
  const old = settled.slice(-young.length);
  const plain = (jobs: readonly Settled[]) => median(jobs.filter(({ refitted }) => !refitted).map(({ ms }) => ms));
  // From one refit to the next, so that a stretch holds as many as it paid for.
  const middle = Math.floor(settled.length / 10);
  const [early, late] = [settled.slice(YOUNG.from, middle), settled.slice(middle)];
  const refits = settled.filter(({ refitted }) => refitted);
  const figures: Figure[] = [
    { what: `settling a job at ${YOUNG.from} jobs, median`, value: plain(young), unit: 'ms' },
    { what: `settling a job at ${settled.length} jobs, median`, value: plain(old), unit: 'ms' },
    { what: 'ratio', value: plain(old) / plain(young), unit: '×', aim: 1.3 },
    { what: `refits included: a job of ${YOUNG.from} to ${middle}, mean`, value: mean(early), unit: 'ms' },
    { what: `refits included: a job of ${middle} to ${settled.length}, mean`, value: mean(late), unit: 'ms' },
    { what: 'refits included, ratio', value: mean(late) / mean(early), unit: '×' },
    { what: `the last of ${refits.length} refits`, value: (refits.at(-1)?.ms ?? 0) / 1000, unit: 's' },
  ];
  const notes = [
    `${population?.history.length ?? 0} of ${settled.length} jobs were candidates with vectors of 512 numbers, one in ten was refused by the evaluator; ` +
      `no other process, no agent, no evaluator. The medians are over ${young.length} jobs each, those with a refit left out.`,
    'A refit places the whole history again. One falls due after every 8 entries or a quarter of the history, whichever is more, so each job pays for ' +
      'the same number of placements, however long the campaign is.',
  ];
  return { figures, notes };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function mean(jobs: readonly Settled[]): number {
  return jobs.reduce((sum, { ms }) => sum + ms, 0) / jobs.length;
}
