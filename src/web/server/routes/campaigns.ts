import type { Hono } from 'hono';
import { z } from 'zod';
import type { CladeApi } from '../../../daemon/index.ts';
import { pageSize, whole } from './query.ts';

const materialQuery = z.strictObject({ from: whole.default(0), limit: pageSize });
const choiceQuery = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('best') }),
  z.strictObject({ kind: z.literal('front') }),
  z.strictObject({ kind: z.literal('job'), ordinal: whole }),
]);

/** Campaigns as a whole: status, archive, what patches and descriptors are made of. */
export function campaignRoutes(app: Hono, api: CladeApi): void {
  app.get('/api/campaigns', async (c) => c.json(await api.campaigns()));
  app.get('/api/campaigns/:name', async (c) => c.json(await api.status(c.req.param('name'))));
  app.get('/api/campaigns/:name/archive', async (c) => c.json(await api.archive(c.req.param('name'))));
  app.get('/api/campaigns/:name/patch-source', async (c) =>
    c.json(await api.patchSource(c.req.param('name'), choiceQuery.parse(c.req.query()))),
  );
  app.get('/api/campaigns/:name/materials', async (c) =>
    c.json(await api.materials(c.req.param('name'), materialQuery.parse(c.req.query()))),
  );
}
