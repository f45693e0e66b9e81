import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { CladeApi } from '../../../daemon/index.ts';
import { whole } from './query.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('JSON was expected');
    return z.NEVER;
  }
});
const seedBody = json.pipe(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('commit'), revision: z.string().min(1) }),
    z.strictObject({ kind: z.literal('patch'), name: z.string().min(1).max(255), base64: z.base64() }),
  ]),
);

const numbers = z.record(z.string(), z.number());
const isolation = z.literal([0, 1, 2, 3]);
const minimisedBody = json.pipe(
  z.strictObject({
    of: z.int().min(1),
    commit: z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
    summary: z.string(),
    evaluation: z.strictObject({
      status: z.literal('valid'),
      objectives: numbers,
      intervals: z.record(z.string(), z.tuple([z.number(), z.number()])),
      scores: numbers,
      identity: z.string().nullable(),
      metrics: numbers,
      features: numbers,
      summary: z.string(),
      evidence: z.string(),
    }),
    durationMs: z.number().min(0),
    isolation,
    label: z.string().min(1),
    machine: z.strictObject({
      host: z.string(),
      cpu: z.number().nullable(),
      load1: z.tuple([z.number(), z.number()]),
      otherBusy: z.number().nullable(),
      stolen: z.number().nullable(),
    }),
    stdout: z.string(),
    stderr: z.string(),
    stages: z.array(
      z.strictObject({
        position: z.int().min(0),
        name: z.string(),
        kind: z.string().nullable(),
        status: z.enum(['passed', 'failed']),
        summary: z.string(),
        evidence: z.string(),
        objectives: numbers,
        metrics: numbers,
        identity: z.string().nullable(),
        stdout: z.string(),
        stderr: z.string(),
        durationMs: z.number().min(0),
        isolation,
        peakMemoryBytes: z.number().nullable(),
      }),
    ),
    artifacts: z.array(z.strictObject({ name: z.string().min(1), mediaType: z.string(), base64: z.base64() })),
  }),
);

/** What changes something; the token was asked for before. */
export function writeRoutes(app: Hono, api: CladeApi): void {
  app.post('/api/campaigns/:name/seeds', bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) =>
    c.json(await api.seed(c.req.param('name'), seedBody.parse(await c.req.text()))),
  );
  app.post('/api/campaigns/:name/minimised', bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) =>
    c.json(await api.enterMinimised(c.req.param('name'), minimisedBody.parse(await c.req.text()))),
  );
  for (const act of ['cancel', 'retry'] as const) {
    app.post(`/api/campaigns/:name/jobs/:ordinal/${act}`, async (c) =>
      c.json(await api[act](c.req.param('name'), whole.parse(c.req.param('ordinal')))),
    );
  }
  app.post('/api/campaigns/:name/rehearsal', async (c) => c.json(await api.rehearse(c.req.param('name'))));
  app.post('/api/campaigns/:name/tidy', async (c) =>
    c.json(await api.tidy(c.req.param('name'), z.stringbool().default(false).parse(c.req.query('dryRun')))),
  );
  for (const act of ['pause', 'resume', 'stop'] as const) {
    app.post(`/api/campaigns/:name/${act}`, async (c) => c.json(await api[act](c.req.param('name'))));
  }
}
