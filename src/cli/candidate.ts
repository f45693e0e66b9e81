import type { CandidateView, CladeApi } from '../daemon/index.ts';
import { UsageError } from '../errors.ts';

/**
 * The candidate that a person names: a commit id or a prefix of one, or `CAMPAIGN:JOB`.
 * @throws UsageError, NotFoundError
 */
export async function namedCandidate(api: CladeApi, name: string): Promise<CandidateView> {
  const [campaign, job, ...rest] = name.split(':');
  if (job === undefined) return api.candidate(name);
  if (campaign === undefined || rest.length > 0 || !/^\d+$/.test(job)) {
    throw new UsageError(`${name} names no candidate: a commit id or CAMPAIGN:JOB was expected, such as zstd:12`);
  }
  return api.job(campaign, Number(job));
}
