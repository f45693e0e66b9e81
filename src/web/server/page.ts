import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context, Hono } from 'hono';

/** Where the build puts the page; the same from `src/` and from `dist/`. */
export const BUILT_PAGE = join(import.meta.dirname, '../../../dist/web/page');

/** The page takes everything from this server and has no inline script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What the build names: no folder and nothing that begins with a dot. */
const ASSET = /^\w[\w.-]*$/;

/** The dashboard: `/`, and its files, whose names have a hash of what is in them. Without a build the API works all the same. */
export function pageRoutes(app: Hono, folder: string): void {
  app.get('/', async (c) => {
    const html = await readIfThere(join(folder, 'index.html'));
    if (html === null) return c.text(unbuilt(folder), 200, { 'Cache-Control': 'no-store' });
    const tag = `"${createHash('sha256').update(html).digest('base64url')}"`;
    return send(c, html, { type: 'text/html; charset=utf-8', tag, cache: 'no-cache' });
  });
  app.get('/assets/:file', async (c) => {
    const file = c.req.param('file');
    const type = TYPES[extname(file)];
    const bytes = type === undefined || !ASSET.test(file) ? null : await readIfThere(join(folder, 'assets', file));
    if (type === undefined || bytes === null) return c.notFound();
    return send(c, bytes, { type, tag: `"${file}"`, cache: 'public, max-age=31536000, immutable' });
  });
}

function send(
  c: Context,
  bytes: Buffer,
  { type, tag, cache }: { readonly type: string; readonly tag: string; readonly cache: string },
): Response {
  const headers = {
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    ETag: tag,
    'Cache-Control': cache,
  };
  const known = (c.req.header('if-none-match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(tag) || known.includes('*')) return c.body(null, 304, headers);
  return c.body(Uint8Array.from(bytes).buffer, 200, { ...headers, 'Content-Type': type });
}

function unbuilt(folder: string): string {
  return [
    'Clade is running here; its dashboard is not built.',
    'In a source checkout, scripts/page builds it (reload this address then).',
    `It was looked for in ${folder}`,
    'The API is under /api/campaigns.',
    '',
  ].join('\n');
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}
