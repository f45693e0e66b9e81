import { Hono } from 'hono';
import type { CladeApi } from '../../daemon/index.ts';
import { guardOrigin, guardWrites } from './guard.ts';
import { answerError, problem } from './problem.ts';
import { artifactRoutes } from './routes/artifacts.ts';
import { campaignRoutes } from './routes/campaigns.ts';
import { eventRoutes } from './routes/events.ts';
import { jobRoutes } from './routes/jobs.ts';
import { writeRoutes } from './routes/writes.ts';

/**
 * The JSON API over what a workspace can answer. Reads are open on loopback; what changes something wants the token as
 * `Authorization: Bearer`. Requests for another host or from another origin are refused. `onBug` hears of what nobody foresaw.
 */
export function createApp(api: CladeApi, token: string, onBug: (error: Error) => void = complain): Hono {
  const app = new Hono();
  app.use(guardOrigin);
  app.use('/api/*', guardWrites(token));
  for (const add of [campaignRoutes, jobRoutes, artifactRoutes, eventRoutes, writeRoutes]) add(app, api);
  app.get('/', (c) => c.text('Clade is running here. The API is under /api/campaigns.\n'));

  app.notFound((context) => context.json(problem('not_found', 'there is nothing at this address'), 404));
  app.onError((error, context) => answerError(error, context, onBug));
  return app;
}

function complain(error: Error): void {
  process.stderr.write(`${error.stack ?? error.message}\n`);
}
