import type { Kysely } from 'kysely';
import {
  type DurationSum,
  listWorkers,
  sumDurations,
  sumFaults,
  sumJobs,
  sumOpenEvaluations,
  type Tables,
  type Timed,
} from '../../store/index.ts';
import type { Metric, Sample } from './text.ts';

/** Seconds: from a quick script to half a day of an agent. */
const BOUNDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200] as const;

/** What the database says of all machines together. */
export async function databaseMetrics(db: Kysely<Tables>): Promise<Metric[]> {
  const jobs = await sumJobs(db);
  const evaluations = await sumOpenEvaluations(db);
  const faults = await sumFaults(db);
  const workers = await listWorkers(db);
  return [
    {
      name: 'clade_jobs_settled_total',
      type: 'counter',
      help: 'Settled jobs by outcome.',
      samples: jobs.flatMap(({ campaign, state, outcome, jobs }) =>
        state === 'settled' ? [{ labels: { campaign, outcome: outcome ?? '' }, value: jobs }] : [],
      ),
    },
    {
      name: 'clade_jobs_open',
      type: 'gauge',
      help: 'Jobs that are not settled, by state; queued ones wait for an agent.',
      samples: jobs.flatMap(({ campaign, state, jobs }) =>
        state === 'settled' ? [] : [{ labels: { campaign, state }, value: jobs }],
      ),
    },
    {
      name: 'clade_evaluations_open',
      type: 'gauge',
      help: 'Evaluations that are not done, by state; pending ones wait for a lane.',
      samples: evaluations.map(({ campaign, state, evaluations }) => ({
        labels: { campaign, state },
        value: evaluations,
      })),
    },
    await histogram(db, 'generation', 'From the claim of a job to its proposal.'),
    await histogram(db, 'evaluation', 'Of one evaluation.'),
    {
      name: 'clade_faults_total',
      type: 'counter',
      help: 'Faults of the machine.',
      samples: faults.map(({ campaign, faults }) => ({ labels: { campaign }, value: faults })),
    },
    {
      name: 'clade_workers',
      type: 'gauge',
      help: 'Processes that are alive, by state.',
      samples: [...Map.groupBy(workers, ({ state }) => state)].map(([state, group]) => ({
        labels: { state },
        value: group.length,
      })),
    },
  ];
}

async function histogram(db: Kysely<Tables>, timed: Timed, help: string): Promise<Metric> {
  const sums = await sumDurations(db, timed, BOUNDS);
  return { name: `clade_${timed}_seconds`, type: 'histogram', help, samples: sums.flatMap(samplesOf) };
}

function samplesOf({ campaign, within, count, seconds }: DurationSum): Sample[] {
  const bucket = (bound: string, value: number): Sample => ({
    ...{ suffix: '_bucket', labels: { campaign, le: bound }, value },
  });
  return [
    ...BOUNDS.map((bound, index) => bucket(String(bound), within[index] ?? count)),
    bucket('+Inf', count),
    { suffix: '_sum', labels: { campaign }, value: seconds },
    { suffix: '_count', labels: { campaign }, value: count },
  ];
}
