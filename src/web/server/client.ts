import type { CladeApi } from '../../daemon/index.ts';
import { CladeError, InfrastructureError } from '../../errors.ts';
import type { Address } from './address.ts';
import type { Problem } from './problem.ts';

/** The answers of the process that serves the workspace, over its loopback HTTP API. */
export function httpApi({ url, token }: Address): CladeApi {
  const ask = async <T>(path: string, init: RequestInit, read: (response: Response) => Promise<T>): Promise<T> => {
    try {
      const response = await fetch(`${url}${path}`, { ...init, headers: { Authorization: `Bearer ${token}` } });
      if (!response.ok) throw await problemOf(response);
      return await read(response);
    } catch (cause) {
      if (cause instanceof CladeError) throw cause;
      // Whatever else goes wrong, at the start or in the middle of an answer, is the connection.
      throw new InfrastructureError(`the process at ${url} does not answer`, {
        cause,
        hint: 'try again: it may be ending',
      });
    }
  };
  const get = <T>(path: string): Promise<T> => ask(path, {}, async (response) => (await response.json()) as T);
  const post = <T>(path: string, body?: unknown): Promise<T> =>
    ask(
      path,
      { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
      async (response) => (await response.json()) as T,
    );
  const at = (name: string): string => `/api/campaigns/${encodeURIComponent(name)}`;

  return {
    campaigns: () => get('/api/campaigns'),
    workers: () => get('/api/workers'),
    status: (name) => get(at(name)),
    jobs: (name, query) => get(`${at(name)}/jobs?${search(query)}`),
    job: (name, ordinal) => get(`${at(name)}/jobs/${ordinal}`),
    explain: (name, ordinal) => get(`${at(name)}/jobs/${ordinal}/explanation`),
    candidate: (commit) => get(`/api/candidates/${encodeURIComponent(commit)}`),
    brief: (name, ordinal) => get(`${at(name)}/jobs/${ordinal}/brief`),
    jobLog: (name, ordinal) => get(`${at(name)}/jobs/${ordinal}/log`),
    diff: (name, ordinal) => get(`${at(name)}/jobs/${ordinal}/diff`),
    series: (name, query) => get(`${at(name)}/series?${search(query)}`),
    archive: (name) => get(`${at(name)}/archive`),
    events: (name, query) => get(`${at(name)}/events?${search(query)}`),
    artifact: (id) =>
      ask(`/api/artifacts/${id}`, {}, async (response) => ({
        name: decodeURIComponent(response.headers.get('X-Artifact-Name') ?? ''),
        mediaType: response.headers.get('X-Artifact-Type') ?? 'application/octet-stream',
        content: new Uint8Array(await response.arrayBuffer()),
      })),
    patchSource: (name, choice) => get(`${at(name)}/patch-source?${search(choice)}`),
    materials: (name, query) => get(`${at(name)}/materials?${search(query)}`),
    proposals: (name, query) => get(`${at(name)}/proposals?${search(query)}`),
    seed: (name, source) => post(`${at(name)}/seeds`, source),
    enterMinimised: (name, source) => post(`${at(name)}/minimised`, source),
    pause: (name) => post(`${at(name)}/pause`),
    resume: (name) => post(`${at(name)}/resume`),
    cancel: (name, ordinal) => post(`${at(name)}/jobs/${ordinal}/cancel`),
    retry: (name, ordinal) => post(`${at(name)}/jobs/${ordinal}/retry`),
    rehearse: (name) => post(`${at(name)}/rehearsal`),
    tidy: (name, dryRun) => post(`${at(name)}/tidy?${search({ dryRun })}`),
    stop: (name) => post(`${at(name)}/stop`),
  };
}

function search(query: object): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) parameters.set(key, String(value));
  return parameters.toString();
}

/** The error that an answer other than 2xx tells. */
export async function problemOf(response: Response): Promise<CladeError> {
  const body = (await response.json().catch(() => null)) as Problem | null;
  if (body === null) return new InfrastructureError(`the workspace's process answered ${response.status}`);
  const { code, message, hint } = body.error;
  return new CladeError(code, message, hint === undefined ? {} : { hint });
}
