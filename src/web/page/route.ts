/** Addresses of the page: what comes after `#`, so that the server knows one address alone. */
export type Route =
  | { readonly page: 'campaigns' }
  | {
      readonly page: 'campaign';
      readonly name: string;
      /** One of the outcomes; null for all. */
      readonly outcome: string | null;
      /** Jobs below this ordinal; null for the newest. */
      readonly before: number | null;
    }
  | { readonly page: 'job'; readonly name: string; readonly ordinal: number };

/** What an address names; one that names nothing is the list of campaigns. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const [, first, written, jobs, ordinal, ...rest] = path.split('/');
  const name = decoded(written);
  if (first !== 'campaigns' || name === null || rest.length > 0) return { page: 'campaigns' };
  if (jobs === undefined) {
    const parameters = new URLSearchParams(query);
    return { page: 'campaign', name, outcome: parameters.get('outcome'), before: whole(parameters.get('before')) };
  }
  const job = whole(ordinal ?? null);
  return jobs === 'jobs' && job !== null ? { page: 'job', name, ordinal: job } : { page: 'campaigns' };
}

/** The address of a route, with its `#`. */
export function hrefOf(route: Route): string {
  if (route.page === 'campaigns') return '#/campaigns';
  const campaign = `#/campaigns/${encodeURIComponent(route.name)}`;
  if (route.page === 'job') return `${campaign}/jobs/${route.ordinal}`;
  const parameters = new URLSearchParams();
  if (route.outcome !== null) parameters.set('outcome', route.outcome);
  if (route.before !== null) parameters.set('before', String(route.before));
  return parameters.size === 0 ? campaign : `${campaign}?${parameters}`;
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function decoded(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray % that somebody typed names nothing.
    return null;
  }
}
