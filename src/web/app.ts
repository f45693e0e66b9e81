import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { CladeApi } from '../daemon/index.ts';
import { CladeError, type ErrorCode } from '../errors.ts';

/** Hosts that a loopback server answers to; any other name is a rebinding attempt. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

const STATUS: Readonly<Record<ErrorCode, 400 | 404 | 409 | 500 | 503>> = {
  usage: 400,
  configuration: 400,
  scope: 400,
  not_found: 404,
  conflict: 409,
  git: 500,
  infrastructure: 503,
  interrupted: 503,
};

const MAX_PAGE = 1000;
/** What the database holds in an integer column; 'Number' alone would take an empty text for 0. */
const whole = z
  .string()
  .regex(/^\d{1,10}$/, 'a whole number was expected')
  .transform(Number)
  .refine((value) => value <= 2 ** 31 - 1, 'this number is too large');
const pageSize = whole
  .refine((value) => value >= 1 && value <= MAX_PAGE, `a number from 1 to ${MAX_PAGE} was expected`)
  .default(100);
const jobQuery = z.strictObject({
  after: whole.optional(),
  limit: pageSize,
  outcome: z.enum(['candidate', 'no_change', 'duplicate', 'failed', 'invalid']).optional(),
  latest: z.stringbool().default(false),
});
const eventQuery = z.strictObject({ after: whole.default(0), limit: pageSize });
const materialQuery = z.strictObject({ from: whole.default(0), limit: pageSize });
const ordinals = z.object({ ordinal: whole });
const artifactIds = z.object({ id: whole });
const choiceQuery = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('best') }),
  z.strictObject({ kind: z.literal('front') }),
  z.strictObject({ kind: z.literal('job'), ordinal: whole }),
]);

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

/**
 * The JSON API over what a workspace can answer. Reads are open on loopback; what changes something wants the token as
 * `Authorization: Bearer`. Requests for another host or from another origin are refused. `onBug` hears of what nobody foresaw.
 */
export function createApp(api: CladeApi, token: string, onBug: (error: Error) => void = complain): Hono {
  const app = new Hono();

  app.use(async (context, next) => {
    context.header('X-Content-Type-Options', 'nosniff');
    context.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    const host = context.req.header('host') ?? '';
    const origin = context.req.header('origin');
    if (!LOOPBACK.test(host)) return context.json(problem('usage', 'this server answers on loopback only'), 403);
    if (origin !== undefined && origin !== `http://${host}`) {
      return context.json(problem('usage', 'requests from other origins are refused'), 403);
    }
    return next();
  });

  app.use('/api/*', async (context, next) => {
    const writes = context.req.method !== 'GET' && context.req.method !== 'HEAD';
    if (writes && !matches(context.req.header('authorization') ?? '', `Bearer ${token}`)) {
      return context.json(problem('usage', 'a change needs the token of this workspace'), 401);
    }
    return next();
  });

  app.get('/api/campaigns', async (c) => c.json(await api.campaigns()));
  app.get('/api/campaigns/:name', async (c) => c.json(await api.status(c.req.param('name'))));
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
  app.get('/api/campaigns/:name/archive', async (c) => c.json(await api.archive(c.req.param('name'))));
  app.get('/api/campaigns/:name/events', async (c) =>
    c.json(await api.events(c.req.param('name'), eventQuery.parse(c.req.query()))),
  );
  app.get('/api/campaigns/:name/patch-source', async (c) =>
    c.json(await api.patchSource(c.req.param('name'), choiceQuery.parse(c.req.query()))),
  );
  app.get('/api/campaigns/:name/materials', async (c) =>
    c.json(await api.materials(c.req.param('name'), materialQuery.parse(c.req.query()))),
  );
  app.get('/api/candidates/:commit', async (c) => c.json(await api.candidate(c.req.param('commit'))));
  app.get('/api/artifacts/:id', async (c) => {
    const { name, mediaType, content } = await api.artifact(artifactIds.parse(c.req.param()).id);
    // Text is shown as text: HTML that a candidate made is not rendered.
    const type = mediaType.startsWith('text/') ? 'text/plain; charset=utf-8' : mediaType;
    return c.body(Uint8Array.from(content).buffer, 200, {
      'Content-Type': type,
      'X-Artifact-Name': encodeURIComponent(name),
      'X-Artifact-Type': mediaType,
    });
  });
  app.post('/api/campaigns/:name/seeds', bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) =>
    c.json(await api.seed(c.req.param('name'), seedBody.parse(await c.req.text()))),
  );
  app.post('/api/campaigns/:name/minimised', bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) =>
    c.json(await api.enterMinimised(c.req.param('name'), minimisedBody.parse(await c.req.text()))),
  );
  for (const act of ['pause', 'resume', 'stop'] as const) {
    app.post(`/api/campaigns/:name/${act}`, async (c) => c.json(await api[act](c.req.param('name'))));
  }
  app.get('/', (c) => c.text('Clade is running here. The API is under /api/campaigns.\n'));

  app.notFound((context) => context.json(problem('not_found', 'there is nothing at this address'), 404));
  app.onError((error, context) => {
    if (error instanceof CladeError) {
      return context.json(problem(error.code, error.message, error.hint), STATUS[error.code]);
    }
    if (error instanceof z.ZodError) return context.json(problem('usage', z.prettifyError(error)), 400);
    onBug(error);
    return context.json(problem('infrastructure', error.message), 500);
  });
  return app;
}

/** How the API says that something went wrong. */
export interface Problem {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
}

function problem(code: ErrorCode, message: string, hint?: string): Problem {
  return { error: { code, message, ...(hint === undefined ? {} : { hint }) } };
}

function complain(error: Error): void {
  process.stderr.write(`${error.stack ?? error.message}\n`);
}

function matches(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
