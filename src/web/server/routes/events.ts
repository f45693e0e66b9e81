import type { ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { CladeApi } from '../../../daemon/index.ts';
import { problem } from '../problem.ts';
import type { Streams } from '../stream.ts';
import { pageSize, whole } from './query.ts';

const eventQuery = z.strictObject({ after: whole.optional(), limit: pageSize, latest: z.stringbool().default(false) });
const streamQuery = z.strictObject({ after: whole.optional() });
/** What a browser sends when it connects again; any other text is none. */
const lastId = whole.optional().catch(undefined);
const STREAM_PAGE = 100;
const STREAM_HEADERS = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };

/** What happened, in pages; and as it happens. */
export function eventRoutes(app: Hono, api: CladeApi, streams: Streams): void {
  app.get('/api/campaigns/:name/events', async (c) =>
    c.json(await api.events(c.req.param('name'), eventQuery.parse(c.req.query()))),
  );

  // Server-sent events: from `Last-Event-ID`, else from `after`, else from now on.
  app.get('/api/campaigns/:name/events/stream', async (c) => {
    const name = c.req.param('name');
    const { after } = streamQuery.parse(c.req.query());
    const [latest] = await api.events(name, { limit: 1, latest: true });
    if (c.req.raw.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS);
    const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse };
    const stream = streams.open({
      after: lastId.parse(c.req.header('last-event-id')) ?? after ?? latest?.id ?? 0,
      read: (id) => api.events(name, { after: id, limit: STREAM_PAGE }),
      drop: () => void outgoing?.destroy(),
    });
    if (stream === null) return c.json(problem('infrastructure', 'too many readers follow events already'), 503);
    return c.body(stream, 200, STREAM_HEADERS);
  });
}
