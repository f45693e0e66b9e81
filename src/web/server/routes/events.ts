import type { Hono } from 'hono';
import { z } from 'zod';
import type { CladeApi } from '../../../daemon/index.ts';
import { pageSize, whole } from './query.ts';

const eventQuery = z.strictObject({ after: whole.default(0), limit: pageSize });

/** What happened, in pages. */
export function eventRoutes(app: Hono, api: CladeApi): void {
  app.get('/api/campaigns/:name/events', async (c) =>
    c.json(await api.events(c.req.param('name'), eventQuery.parse(c.req.query()))),
  );
}
