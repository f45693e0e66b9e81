import type { Benchmark, Report } from './benchmark.ts';
import { inTemporaryFolder } from './folder.ts';
import { CHUNK, openCampaign } from './settlement/campaign.ts';
import type { Settled } from './settlement/history.ts';

const JOBS = 10_000;
/** The young campaign has so many. */
const FEW = 100;
/** Jobs of either campaign that are compared. */
const COMPARED = 600;
/** With fewer, early and late jobs would be the same. */
const LEAST = 2_000;

/** What settling a job costs as the history grows: the daemon's own transactions, on the embedded database. */
export const settlement: Benchmark = {
  name: 'settlement',
  about: `settling through the daemon on the embedded database, at ${JOBS} jobs against ${FEW} (--jobs N)`,
  async run({ jobs = JOBS }) {
    if (jobs < LEAST) throw new RangeError(`--jobs must be at least ${LEAST}, got ${jobs}`);
    return inTemporaryFolder(async (folder) => {
      await using old = await openCampaign(folder, 'old');
      await old.growTo(jobs);
      await using young = await openCampaign(folder, 'young');
      await young.growTo(FEW);
      // By turns, so that a machine that gets slower meanwhile hits both.
      for (let more = CHUNK; more <= COMPARED; more += CHUNK) {
        await young.growTo(FEW + more);
        await old.growTo(jobs + more);
      }
      return report(young.settled.slice(FEW), old.settled, jobs);
    });
  },
};

function report(young: readonly Settled[], old: readonly Settled[], jobs: number): Report {
  const [few, many] = [plain(young), plain(old.slice(jobs))];
  const tenth = Math.floor(jobs / 10);
  const [early, late] = [mean(old.slice(FEW, tenth)), mean(old.slice(tenth, jobs))];
  const refits = old.filter(({ refitted }) => refitted);
  return {
    figures: [
      { what: `settling a job at ${FEW} jobs, median`, value: few, unit: 'ms' },
      { what: `settling a job at ${jobs} jobs, median`, value: many, unit: 'ms' },
      { what: 'ratio', value: many / few, unit: '×', aim: 1.3 },
      { what: `refits included: mean of jobs ${FEW} to ${tenth}`, value: early, unit: 'ms' },
      { what: `refits included: mean of jobs ${tenth} to ${jobs}`, value: late, unit: 'ms' },
      { what: 'refits included, ratio', value: late / early, unit: '×' },
      { what: `the last of ${refits.length} refits`, value: (refits.at(-1)?.ms ?? 0) / 1000, unit: 's' },
    ],
    notes: [
      `Medians: ${COMPARED} jobs of a young and of an old campaign, ${CHUNK} of each by turns, those with a refit left out. One job in ten ` +
        'was refused by the evaluator, the others have vectors of 512 numbers; there is no agent, no evaluator and no queue.',
      'Refits: one falls due after every 8 candidates or a quarter of the history, whichever is more, and places the whole history again, so each ' +
        'job pays for the same number of placements, however long the campaign is. Their means come one after the other, so the load of the machine is in the ratio.',
    ],
  };
}

function plain(jobs: readonly Settled[]): number {
  const times = jobs.flatMap(({ ms, refitted }) => (refitted ? [] : [ms]));
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function mean(jobs: readonly Settled[]): number {
  return jobs.reduce((sum, { ms }) => sum + ms, 0) / jobs.length;
}
