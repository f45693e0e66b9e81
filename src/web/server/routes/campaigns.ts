import type { Hono } from 'hono';
import { z } from 'zod';
import type { CladeApi } from '../../../daemon/index.ts';
import { pageSize, whole } from './query.ts';

const materialQuery = z.strictObject({ from: whole.default(0), limit: pageSize });
const MAX_SERIES = 10_000;
const seriesQuery = z.strictObject({
  after: z.union([z.literal('-1').transform(Number), whole]).default(-1),
  limit: whole
    .refine((rows) => rows >= 1 && rows <= MAX_SERIES, `a number from 1 to ${MAX_SERIES} was expected`)
    .default(MAX_SERIES),
});
const proposalQuery = z.strictObject({ after: whole.default(0), limit: pageSize });
const choiceQuery = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('best') }),
  z.strictObject({ kind: z.literal('front') }),
  z.strictObject({ kind: z.literal('job'), ordinal: whole }),
]);

/** Campaigns as a whole: status, archive, what patches and descriptors are made of. */
export function campaignRoutes(app: Hono, api: CladeApi): void {
  app.get('/api/workers', async (c) => c.json(await api.workers()));
  app.get('/api/campaigns', async (c) => c.json(await api.campaigns()));
  app.get('/api/campaigns/:name', async (c) => c.json(await api.status(c.req.param('name'))));
  app.get('/api/campaigns/:name/archive', async (c) => c.json(await api.archive(c.req.param('name'))));
  app.get('/api/campaigns/:name/series', async (c) =>
    c.json(await api.series(c.req.param('name'), seriesQuery.parse(c.req.query()))),
  );
  app.get('/api/campaigns/:name/patch-source', async (c) =>
    c.json(await api.patchSource(c.req.param('name'), choiceQuery.parse(c.req.query()))),
  );
  app.get('/api/campaigns/:name/materials', async (c) =>
    c.json(await api.materials(c.req.param('name'), materialQuery.parse(c.req.query()))),
  );
  app.get('/api/campaigns/:name/proposals', async (c) =>
    c.json(await api.proposals(c.req.param('name'), proposalQuery.parse(c.req.query()))),
  );
}
