import type { Hono } from 'hono';
import type { Monitor } from '../../../daemon/index.ts';

/** What machines ask: `/healthz`, `/readyz` and `/metrics`. */
export function probeRoutes(app: Hono, monitor: Pick<Monitor, 'metrics' | 'readiness'>): void {
  app.get('/healthz', (c) => c.json({ alive: true }));
  app.get('/readyz', async (c) => {
    const readiness = await monitor.readiness();
    return c.json(readiness, readiness.ready ? 200 : 503, { 'Cache-Control': 'no-store' });
  });
  app.get('/metrics', async (c) =>
    c.body(await monitor.metrics(), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }),
  );
}
