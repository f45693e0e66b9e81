import type { CandidateView, CladeApi } from '../daemon/index.ts';
import { UsageError } from '../errors.ts';

/**
 * The candidate that a person names: a commit id or a prefix of one, or `CAMPAIGN:JOB`.
 * @throws UsageError, NotFoundError
 */
export async function namedCandidate(api: CladeApi, name: string): Promise<CandidateView> {
  const job = parseJob(name);
  return job === null ? api.candidate(name) : api.job(job.campaign, job.ordinal);
}

interface NamedJob {
  readonly campaign: string;
  readonly ordinal: number;
}

/**
 * The job that a person names as they would its candidate.
 * @throws UsageError, NotFoundError
 */
export async function namedJob(api: CladeApi, name: string): Promise<NamedJob> {
  return parseJob(name) ?? api.candidate(name);
}

/** Null when it is no `CAMPAIGN:JOB`. */
function parseJob(name: string): NamedJob | null {
  const [campaign, job, ...rest] = name.split(':');
  if (job === undefined) return null;
  if (campaign === undefined || rest.length > 0 || !/^\d+$/.test(job)) {
    throw new UsageError(`${name} names no candidate: a commit id or CAMPAIGN:JOB was expected, such as zstd:12`);
  }
  return { campaign, ordinal: Number(job) };
}
