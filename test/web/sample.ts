import type { CladeApi } from '../../src/daemon/index.ts';
import { ConflictError, NotFoundError } from '../../src/errors.ts';

/** An API that remembers what it was asked and answers with it; some names are special. */
export function echoApi(): { readonly api: CladeApi; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const answer = async (...question: unknown[]): Promise<never> => {
    asked.push(question);
    if (question.includes('missing')) throw new NotFoundError('there is no such thing', { hint: 'look elsewhere' });
    if (question.includes('finished')) throw new ConflictError('it is finished');
    if (question.includes('broken')) throw new TypeError('nobody foresaw this');
    return { question } as never;
  };
  const api: CladeApi = {
    campaigns: () => answer('campaigns'),
    workers: () => answer('workers'),
    status: (name) => answer('status', name),
    jobs: (name, query) => answer('jobs', name, query),
    job: (name, ordinal) => answer('job', name, ordinal),
    explain: (name, ordinal) => answer('explain', name, ordinal),
    candidate: (commit) => answer('candidate', commit),
    brief: (name, ordinal) => answer('brief', name, ordinal),
    jobLog: (name, ordinal) => answer('jobLog', name, ordinal),
    diff: (name, ordinal) => answer('diff', name, ordinal),
    series: (name, query) => answer('series', name, query),
    archive: (name) => answer('archive', name),
    events: (name, query) => answer('events', name, query),
    async artifact(id) {
      if (id === 404) throw new NotFoundError('there is no such artifact');
      const mediaType = ['text/html', 'image/svg+xml', 'text/csv'][id] ?? 'application/octet-stream';
      return { name: 'plöt "1"\n.svg', mediaType, content: new TextEncoder().encode('<script>alert(1)</script>') };
    },
    patchSource: (name, choice) => answer('patchSource', name, choice),
    materials: (name, query) => answer('materials', name, query),
    proposals: (name, query) => answer('proposals', name, query),
    enterMinimised: (name, source) => answer('minimised', name, source),
    seed: (name, source) => answer('seed', name, source),
    pause: (name) => answer('pause', name),
    resume: (name) => answer('resume', name),
    rehearse: (name) => answer('rehearse', name),
    tidy: (name, dryRun) => answer('tidy', name, dryRun),
    stop: (name) => answer('stop', name),
    cancel: (name, ordinal) => answer('cancel', name, ordinal),
    retry: (name, ordinal) => answer('retry', name, ordinal),
  };
  return { api, asked };
}
