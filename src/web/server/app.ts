import { Hono } from 'hono';
import type { CladeApi, Monitor } from '../../daemon/index.ts';
import { guardOrigin, guardWrites } from './guard.ts';
import { BUILT_PAGE, pageRoutes } from './page.ts';
import { answerError, problem } from './problem.ts';
import { artifactRoutes } from './routes/artifacts.ts';
import { campaignRoutes } from './routes/campaigns.ts';
import { eventRoutes } from './routes/events.ts';
import { jobRoutes } from './routes/jobs.ts';
import { probeRoutes } from './routes/probes.ts';
import { writeRoutes } from './routes/writes.ts';
import { type Announcements, createStreams, type StreamLimits } from './stream.ts';

export interface AppOptions {
  /** What a request that changes something brings. */
  readonly token: string;
  /** Hears of what nobody foresaw. */
  readonly onBug?: (error: Error) => void;
  /** The folder of the built page. */
  readonly page?: string;
  readonly limits?: StreamLimits;
  /** Wakes the streams of events; without it they look now and then. */
  readonly bell?: Announcements;
  /** Answers what machines ask; without it they get no answer. */
  readonly monitor?: Pick<Monitor, 'metrics' | 'readiness'>;
}

export interface App {
  readonly fetch: Hono['fetch'];
  readonly request: Hono['request'];
  /** Ends the streams of events. */
  close(): Promise<void>;
}

/**
 * The dashboard and its JSON API over what a workspace can answer. Reads are open on loopback; what changes something wants the token as
 * `Authorization: Bearer`. Requests for another host or from another origin are refused.
 */
export function createApp(
  api: CladeApi,
  { token, onBug = complain, page = BUILT_PAGE, limits, bell, monitor }: AppOptions,
): App {
  const app = new Hono();
  const streams = createStreams(onBug, bell ?? null, limits);
  app.use(guardOrigin);
  app.use('/api/*', guardWrites(token));
  campaignRoutes(app, api);
  jobRoutes(app, api);
  artifactRoutes(app, api);
  eventRoutes(app, api, streams);
  writeRoutes(app, api);
  if (monitor !== undefined) probeRoutes(app, monitor);
  pageRoutes(app, page);

  app.notFound((context) => context.json(problem('not_found', 'there is nothing at this address'), 404));
  app.onError((error, context) => answerError(error, context, onBug));
  return { fetch: app.fetch, request: app.request, close: streams.close };
}

function complain(error: Error): void {
  process.stderr.write(`${error.stack ?? error.message}\n`);
}
