import { expect, test } from 'vitest';
import { createApp } from '../../src/web/index.ts';
import { echoApi } from './sample.ts';

const TOKEN = 'a-token-of-this-workspace';
const HOST = { host: '127.0.0.1:4000' };

function open() {
  const { api, asked } = echoApi();
  const bugs: Error[] = [];
  const app = createApp(api, { token: TOKEN, onBug: (error) => bugs.push(error) });
  const ask = (path: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { ...HOST, ...Object.fromEntries(new Headers(init.headers)) } });
  return { ask, asked, bugs };
}

test.each([
  ['/api/campaigns', ['campaigns']],
  ['/api/campaigns/zstd', ['status', 'zstd']],
  ['/api/campaigns/a%2Fb%20c', ['status', 'a/b c']],
  ['/api/campaigns/zstd/jobs', ['jobs', 'zstd', { limit: 100, latest: false }]],
  [
    '/api/campaigns/zstd/jobs?after=7&limit=5&outcome=failed&latest=true',
    ['jobs', 'zstd', { after: 7, limit: 5, outcome: 'failed', latest: true }],
  ],
  ['/api/campaigns/zstd/jobs/12', ['job', 'zstd', 12]],
  ['/api/campaigns/zstd/jobs/12/explanation', ['explain', 'zstd', 12]],
  ['/api/campaigns/zstd/jobs/12/diff', ['diff', 'zstd', 12]],
  ['/api/campaigns/zstd/jobs/12/brief', ['brief', 'zstd', 12]],
  ['/api/campaigns/zstd/archive', ['archive', 'zstd']],
  ['/api/campaigns/zstd/series', ['series', 'zstd', { after: -1, limit: 10_000 }]],
  ['/api/campaigns/zstd/series?after=-1&limit=1', ['series', 'zstd', { after: -1, limit: 1 }]],
  ['/api/campaigns/zstd/series?after=41', ['series', 'zstd', { after: 41, limit: 10_000 }]],
  ['/api/campaigns/zstd/events', ['events', 'zstd', { limit: 100, latest: false }]],
  [
    '/api/campaigns/zstd/events?after=3&limit=1000&latest=true',
    ['events', 'zstd', { after: 3, limit: 1000, latest: true }],
  ],
  ['/api/campaigns/zstd/patch-source?kind=best', ['patchSource', 'zstd', { kind: 'best' }]],
  ['/api/campaigns/zstd/patch-source?kind=job&ordinal=3', ['patchSource', 'zstd', { kind: 'job', ordinal: 3 }]],
  ['/api/campaigns/zstd/proposals?after=7', ['proposals', 'zstd', { after: 7, limit: 100 }]],
  ['/api/campaigns/zstd/materials?from=7', ['materials', 'zstd', { from: 7, limit: 100 }]],
  ['/api/candidates/abcdef', ['candidate', 'abcdef']],
])('GET %s', async (path, question) => {
  const response = await open().ask(path);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ question });
});

test.each([
  '/api/campaigns/zstd/jobs?limit=0',
  '/api/campaigns/zstd/jobs?limit=1001',
  '/api/campaigns/zstd/jobs?limit=',
  '/api/campaigns/zstd/jobs?after=-1',
  '/api/campaigns/zstd/jobs?after=1e3',
  '/api/campaigns/zstd/jobs?after=9999999999',
  '/api/campaigns/zstd/jobs?outcome=great',
  '/api/campaigns/zstd/jobs?limt=5',
  '/api/campaigns/zstd/jobs/first',
  '/api/campaigns/zstd/jobs/1.5',
  '/api/campaigns/zstd/events?after=x',
  '/api/campaigns/zstd/series?after=-2',
  '/api/campaigns/zstd/series?limit=10001',
  '/api/campaigns/zstd/series?limit=0',
  '/api/campaigns/zstd/patch-source',
  '/api/campaigns/zstd/patch-source?kind=job',
  '/api/campaigns/zstd/patch-source?kind=worst',
  '/api/campaigns/zstd/materials?from=x',
  '/api/artifacts/x',
])('%s is refused with a reason, and nobody is asked', async (path) => {
  const { ask, asked } = open();
  const response = await ask(path);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'usage', message: expect.stringMatching(/./) } });
  expect(asked).toEqual([]);
});

test('errors are problems: not found, conflict, nothing there, and what nobody foresaw is reported', async () => {
  const { ask, bugs } = open();
  const missing = await ask('/api/campaigns/missing');
  expect(missing.status).toBe(404);
  expect(await missing.json()).toEqual({
    error: { code: 'not_found', message: 'there is no such thing', hint: 'look elsewhere' },
  });
  const finished = await ask('/api/campaigns/finished');
  expect(finished.status).toBe(409);
  expect((await ask('/api/nothing')).status).toBe(404);
  expect((await ask('/api/campaigns/../../etc/passwd')).status).toBe(404);
  expect(bugs).toEqual([]);
  expect((await ask('/api/campaigns/broken')).status).toBe(500);
  expect(bugs).toEqual([new TypeError('nobody foresaw this')]);
});

test.each(['evil.example', 'evil.example:4000', '127.0.0.1.evil.example', 'localhost.evil.example', ''])(
  'the host %j is refused',
  async (host) => {
    const { ask, asked } = open();
    const response = await ask('/api/campaigns', { headers: { host } });
    expect(response.status).toBe(403);
    expect(asked).toEqual([]);
  },
);

test.each(['localhost', 'localhost:80', '[::1]:4000', '127.0.0.1'])('the host %j is ours', async (host) => {
  expect((await open().ask('/api/campaigns', { headers: { host } })).status).toBe(200);
});

test('other origins are refused, our own is not, even with the token', async () => {
  const { ask, asked } = open();
  for (const origin of ['http://evil.example', 'https://127.0.0.1:4000', 'http://127.0.0.1:4001', 'null']) {
    const headers = { origin, authorization: `Bearer ${TOKEN}` };
    expect((await ask('/api/campaigns/zstd/stop', { method: 'POST', headers })).status).toBe(403);
  }
  expect(asked).toEqual([]);
  expect((await ask('/api/campaigns', { headers: { origin: 'http://127.0.0.1:4000' } })).status).toBe(200);
});

test.each(['pause', 'resume', 'stop'])('%s needs the token', async (act) => {
  const { ask, asked } = open();
  const path = `/api/campaigns/zstd/${act}`;
  for (const authorization of ['', 'Bearer ', 'Bearer wrong', TOKEN, `Bearer ${TOKEN}x`, `bearer ${TOKEN}`]) {
    expect((await ask(path, { method: 'POST', headers: { authorization } })).status).toBe(401);
  }
  expect((await ask(path)).status).toBe(404);
  expect(asked).toEqual([]);
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect(await (await ask(path, { method: 'POST', headers })).json()).toEqual({ question: [act, 'zstd'] });
});

test('a seed needs the token and a body that means something', async () => {
  const { ask, asked } = open();
  const post = (body: unknown, authorization = `Bearer ${TOKEN}`) =>
    ask('/api/campaigns/zstd/seeds', { method: 'POST', headers: { authorization }, body: String(body) });
  const patch = { kind: 'patch', name: 'a.patch', base64: 'LS0tCg==' };
  expect((await post(JSON.stringify(patch), '')).status).toBe(401);
  for (const body of ['', '{', 'null', '{"kind":"commit"}', '{"kind":"commit","revision":""}']) {
    expect((await post(body)).status).toBe(400);
  }
  for (const wrong of [{ base64: '§' }, { name: '' }, { more: 1 }]) {
    expect((await post(JSON.stringify({ ...patch, ...wrong }))).status).toBe(400);
  }
  expect(asked).toEqual([]);
  for (const source of [patch, { kind: 'commit', revision: 'HEAD~1' }]) {
    expect(await (await post(JSON.stringify(source))).json()).toEqual({ question: ['seed', 'zstd', source] });
  }
});

test('a minimised candidate needs the token and a whole measurement', async () => {
  const { ask, asked } = open();
  const post = (body: unknown, authorization = `Bearer ${TOKEN}`) =>
    ask('/api/campaigns/zstd/minimised', { method: 'POST', headers: { authorization }, body: JSON.stringify(body) });
  const numbers = { speed: 1.5 };
  const evaluation = {
    ...{ status: 'valid', objectives: numbers, scores: numbers, intervals: { speed: [1, 2] }, identity: null },
    ...{ metrics: {}, features: {}, summary: '', evidence: '' },
  };
  const source = {
    ...{ of: 2, commit: 'c'.repeat(40), summary: 'less', evaluation, durationMs: 5, isolation: 2 },
    label: 'h',
    machine: { host: 'h', cpu: null, load1: [0.5, 1], otherBusy: null, stolen: 0 },
    ...{
      stdout: '',
      stderr: '',
      stages: [],
      artifacts: [{ name: 'a.svg', mediaType: 'image/svg+xml', base64: 'AA==' }],
    },
  };
  expect((await post(source, '')).status).toBe(401);
  const invalid = { ...evaluation, status: 'invalid' };
  for (const wrong of [
    { of: 0 },
    { commit: 'HEAD' },
    { evaluation: invalid },
    { isolation: 9 },
    { stages: [{}] },
    { more: 1 },
  ]) {
    expect((await post({ ...source, ...wrong })).status).toBe(400);
  }
  expect(asked).toEqual([]);
  expect(await (await post(source)).json()).toEqual({ question: ['minimised', 'zstd', source] });
});

test.each([
  [0, 'text/plain; charset=utf-8'],
  [1, 'image/svg+xml'],
  [7, 'application/octet-stream'],
])('artifact %i is inert', async (id, type) => {
  const response = await open().ask(`/api/artifacts/${id}`);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none';.*sandbox$/);
  expect(await response.text()).toBe('<script>alert(1)</script>');
});

test('refusals and errors carry the same headers', async () => {
  const { ask } = open();
  for (const response of [
    await ask('/api/campaigns', { headers: { host: 'evil.example' } }),
    await ask('/api/campaigns/missing'),
    await ask('/nowhere'),
  ]) {
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  }
});
