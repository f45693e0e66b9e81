import type { Hono } from 'hono';
import { z } from 'zod';
import type { CladeApi } from '../../../daemon/index.ts';
import { pageSize, whole } from './query.ts';

const jobQuery = z.strictObject({
  after: whole.optional(),
  limit: pageSize,
  outcome: z.enum(['candidate', 'no_change', 'duplicate', 'failed', 'invalid']).optional(),
  latest: z.stringbool().default(false),
});
const ordinals = z.object({ ordinal: whole });

/** Jobs in pages, and one job by its ordinal or its commit. */
export function jobRoutes(app: Hono, api: CladeApi): void {
  app.get('/api/campaigns/:name/jobs', async (c) =>
    c.json(await api.jobs(c.req.param('name'), jobQuery.parse(c.req.query()))),
  );
  app.get('/api/campaigns/:name/jobs/:ordinal', async (c) => {
    const { ordinal } = ordinals.parse(c.req.param());
    return c.json(await api.job(c.req.param('name'), ordinal));
  });
  app.get('/api/campaigns/:name/jobs/:ordinal/explanation', async (c) => {
    const { ordinal } = ordinals.parse(c.req.param());
    return c.json(await api.explain(c.req.param('name'), ordinal));
  });
  app.get('/api/campaigns/:name/jobs/:ordinal/brief', async (c) => {
    const { ordinal } = ordinals.parse(c.req.param());
    return c.json(await api.brief(c.req.param('name'), ordinal));
  });
  app.get('/api/campaigns/:name/jobs/:ordinal/diff', async (c) => {
    const { ordinal } = ordinals.parse(c.req.param());
    return c.json(await api.diff(c.req.param('name'), ordinal));
  });
  app.get('/api/campaigns/:name/jobs/:ordinal/log', async (c) => {
    const { ordinal } = ordinals.parse(c.req.param());
    return c.json(await api.jobLog(c.req.param('name'), ordinal));
  });
  app.get('/api/candidates/:commit', async (c) => c.json(await api.candidate(c.req.param('commit'))));
}
