import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/web/index.ts';
import { temporary } from '../pipeline/fixture.ts';
import { builtPage } from './built.ts';
import { echoApi } from './sample.ts';

let page: string;
let assets: string[];

beforeAll(async () => {
  const { folder, remove } = await builtPage();
  page = folder;
  assets = await readdir(join(page, 'assets'));
  return remove;
});

function open(folder = page) {
  const app = createApp(echoApi().api, { token: 't', page: folder });
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(path, { method, headers: { host: '127.0.0.1:4000', ...headers } });
}

/** `name` → its values, of a Content-Security-Policy. */
function policyOf(response: Response): Map<string, string> {
  const text = response.headers.get('content-security-policy') ?? '';
  return new Map(text.split('; ').map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]));
}

test('the page takes everything from its own server and runs no inline script', async () => {
  const response = await open()('/');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const policy = policyOf(response);
  expect(policy.get('default-src')).toBe("'none'");
  for (const kind of ['script-src', 'style-src', 'img-src', 'connect-src']) expect(policy.get(kind)).toBe("'self'");
  for (const kind of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy.get(kind)).toBe("'none'");
  const html = await response.text();
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\bon\w+=|style=|<style/);
  const addresses = [...html.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(addresses).toHaveLength(3);
  for (const address of addresses) expect(address).toMatch(/^\/assets\/[\w-]+-[\w-]{8}\.(js|css|svg)$/);
});

test('its files have the right type, may be kept for ever, and name no other origin', async () => {
  const ask = open();
  const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' };
  expect(assets.map((name) => name.split('.').at(-1)).sort()).toEqual(['css', 'js', 'svg']);
  for (const name of assets) {
    const response = await ask(`/assets/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(types[name.split('.').at(-1) as keyof typeof types]);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const text = await response.text();
    expect(text).toBe(await readFile(join(page, 'assets', name), 'utf8'));
    const names = [...text.matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([address]) => address);
    // The names of XML namespaces are no addresses.
    expect(names.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
    expect(text).not.toMatch(/@import|sourceMappingURL/);
  }
});

test('HEAD and If-None-Match cost no body', async () => {
  const ask = open();
  for (const path of ['/', `/assets/${assets[0]}`]) {
    const whole = await ask(path);
    const tag = whole.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w.-]+"$/);
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      whole.headers.get('content-type'),
      '',
    ]);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const same = await ask(path, { 'if-none-match': known });
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200);
  }
});

test('nothing else is handed out', async () => {
  const folder = join(await temporary(), 'page');
  await mkdir(join(folder, 'assets/folder.js'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await writeFile(join(folder, 'secret.js'), 'secret');
  await writeFile(join(folder, 'assets/.hidden.js'), 'secret');
  await writeFile(join(folder, 'assets/notes.txt'), 'secret');
  const ask = open(folder);
  for (const path of [
    '/index.html',
    '/secret.js',
    '/assets',
    '/assets/',
    '/assets/none.js',
    '/assets/.hidden.js',
    '/assets/notes.txt',
    '/assets/..%2fsecret.js',
    '/assets/%2e%2e%2fsecret.js',
    '/assets/..%5csecret.js',
    '/assets/../secret.js',
    '/assets/%2e%2e/secret.js',
    '/assets//secret.js',
    '/assets/x/../../secret.js',
    '/assets/secret.js%00.js',
    `/assets/${encodeURIComponent(join(folder, 'secret.js'))}`,
  ]) {
    const response = await ask(path);
    expect([path, response.status, (await response.text()).includes('secret')]).toEqual([path, 404, false]);
  }
});

test('the page is for this host and origin alone, as the API is', async () => {
  const ask = open();
  for (const path of ['/', `/assets/${assets[0]}`]) {
    expect((await ask(path, { host: 'evil.example' })).status).toBe(403);
    expect((await ask(path, { origin: 'http://evil.example' })).status).toBe(403);
  }
  expect((await ask('/', {}, 'POST')).status).toBe(404);
});

test('without a build it says how to make one, and the API answers', async () => {
  const ask = open(join(await temporary(), 'none'));
  const response = await ask('/');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await response.text()).toContain('scripts/page builds it');
  expect((await ask('/assets/index.js')).status).toBe(404);
  expect((await ask('/api/campaigns')).status).toBe(200);
});
