import type { JobView } from '../../daemon/index.ts';
import { UsageError } from '../../errors.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { objectives, print, table } from '../output.ts';

const OUTCOMES = ['candidate', 'no_change', 'duplicate', 'failed', 'invalid'] as const;

export interface JobsOptions extends GlobalOptions {
  readonly limit?: number;
  readonly outcome?: string;
}

/** The latest jobs of a campaign, the oldest of them first. */
export async function jobs(options: JobsOptions, name: string): Promise<number> {
  const outcome = OUTCOMES.find((known) => known === options.outcome);
  if (options.outcome !== undefined && outcome === undefined) {
    throw new UsageError(`--outcome ${options.outcome} is unknown: ${OUTCOMES.join(', ')} are there`);
  }
  return withApi(options, 'jobs', async (api) => {
    const page = await api.jobs(name, { limit: options.limit ?? 50, outcome, latest: true });
    print(page.toReversed(), options.json, render);
    return 0;
  });
}

function render(page: readonly JobView[]): string {
  return table(
    ['job', 'base', 'state', 'outcome', 'commit', 'lines', 'objectives', 'what'],
    page.map((job) => [
      job.ordinal,
      job.base,
      job.round === 0 ? job.state : `${job.state}, round ${job.round}`,
      job.outcome === 'duplicate' ? `duplicate of ${job.duplicateOf}` : job.outcome,
      job.commit?.slice(0, 10) ?? '',
      job.added === null ? '' : `+${job.added} −${job.deleted ?? 0}`,
      objectives(job.objectives),
      what(job),
    ]),
  );
}

function what(job: JobView): string {
  const failed = job.outcome === 'failed' || job.outcome === 'invalid';
  const text = failed ? `${job.stage}/${job.failureKind}: ${job.reason ?? ''}` : (job.title ?? '');
  return `${job.winner ? 'winner: ' : ''}${job.kind === 'seed' ? 'seed: ' : ''}${text}`
    .replace(/\s+/g, ' ')
    .slice(0, 80);
}
