import type { CampaignStatus, JobView } from '../../server/answers.ts';
import { campaignPath } from '../api.ts';
import { count, duration, number } from '../format.ts';
import { fateOf, isOutcome, OUTCOMES, type Outcome, toneOf } from '../parts/outcome.ts';
import { JobLink, Trouble, Wide } from '../parts/parts.tsx';
import { useResource } from '../resource.ts';
import { hrefOf, type Route } from '../route.ts';

const PAGE = 50;

type CampaignRoute = Extract<Route, { page: 'campaign' }>;

interface JobsProps {
  readonly route: CampaignRoute;
  readonly status: CampaignStatus;
  readonly tick: number;
}

/** The ledger, the newest jobs first. */
export function Jobs({ route, status, tick }: JobsProps) {
  const { name, outcome, before } = route;
  const query = new URLSearchParams({ latest: 'true', limit: String(PAGE) });
  if (isOutcome(outcome)) query.set('outcome', outcome);
  if (before !== null) query.set('after', String(before));
  const { value, error } = useResource<JobView[]>(campaignPath(name, `/jobs?${query}`), tick);
  const last = value?.at(-1)?.ordinal;
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">Jobs</h2>
      <Filters route={route} outcomes={status.outcomes} />
      <Trouble error={error} />
      {value?.length === 0 && <p>There is none here.</p>}
      {value !== null && value.length > 0 && <Table name={name} jobs={value} status={status} />}
      <nav class="pages" aria-label="Pages of jobs">
        {before !== null && <a href={hrefOf({ ...route, before: null })}>newest</a>}
        {last !== undefined && value?.length === PAGE && <a href={hrefOf({ ...route, before: last })}>older</a>}
      </nav>
    </section>
  );
}

function Filters({
  route,
  outcomes,
}: {
  readonly route: CampaignRoute;
  readonly outcomes: CampaignStatus['outcomes'];
}) {
  const entries = Object.entries(OUTCOMES) as [Outcome, string][];
  const filter = (outcome: Outcome | null, label: string) => (
    <a
      href={hrefOf({ ...route, outcome, before: null })}
      aria-current={(isOutcome(route.outcome) ? route.outcome : null) === outcome ? 'true' : undefined}
    >
      {label}
    </a>
  );
  return (
    <nav class="filters" aria-label="Jobs by outcome">
      {filter(null, 'all')}
      {entries.map(([outcome, label]) => filter(outcome, `${label} ${count(outcomes[outcome])}`))}
    </nav>
  );
}

interface TableProps {
  readonly name: string;
  readonly jobs: readonly JobView[];
  readonly status: CampaignStatus;
}

function Table({ name, jobs, status: { objectives } }: TableProps) {
  return (
    <Wide label="Jobs">
      <table>
        <caption class="unseen">Jobs, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">job</th>
            <th scope="col">outcome</th>
            {objectives.map((objective) => (
              <th scope="col" class="figure" key={objective.name}>
                {objective.name}
              </th>
            ))}
            <th scope="col">title</th>
            <th scope="col" class="figure">
              lines
            </th>
            <th scope="col" class="figure">
              evaluation
            </th>
            <th scope="col">base</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.ordinal} class={job.winner ? 'winner' : undefined}>
              <th scope="row">
                <JobLink name={name} ordinal={job.ordinal} />
              </th>
              <td class={toneOf(job.outcome)}>
                {fateOf(job)}
                {job.failureKind !== null && ` (${job.stage}/${job.failureKind})`}
                {job.duplicateOf !== null && ` of ${job.duplicateOf}`}
                {job.winner && ' · winner'}
              </td>
              {objectives.map((objective) => (
                <td class="figure" key={objective.name}>
                  {figure(job.objectives?.[objective.name])}
                </td>
              ))}
              <td class="title">{job.title}</td>
              <td class="figure">{job.added === null ? '' : `+${job.added} −${job.deleted}`}</td>
              <td class="figure">{job.durationMs === null ? '' : duration(job.durationMs)}</td>
              <td>{job.base !== null && <JobLink name={name} ordinal={job.base} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

const figure = (value: number | undefined): string => (value === undefined ? '' : number(value));
