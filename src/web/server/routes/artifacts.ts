import type { Hono } from 'hono';
import { z } from 'zod';
import type { CladeApi } from '../../../daemon/index.ts';
import { whole } from './query.ts';

const artifactIds = z.object({ id: whole });

/** Files that evaluations left, as bytes. */
export function artifactRoutes(app: Hono, api: CladeApi): void {
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
}
