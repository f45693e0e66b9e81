import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CladeApi, EventView } from '../../src/daemon/index.ts';
import { databaseApi } from '../../src/daemon/index.ts';
import { InfrastructureError } from '../../src/errors.ts';
import type { Bell } from '../../src/store/index.ts';
import { createApp, startServer } from '../../src/web/index.ts';
import { eventually, hostOn } from '../daemon/fixture.ts';
import { campaignIn, temporary } from '../pipeline/fixture.ts';
import { describeDatabases } from '../support/databases.ts';
import { echoApi } from './sample.ts';

const HEADERS = { host: '127.0.0.1:4000' };
const PATH = '/api/campaigns/zstd/events/stream';
const QUICK = { pollMs: 5, gapMs: 0, heartbeatMs: 10_000, patienceMs: 10_000, readers: 3 };
/** Nobody looks before he is told. */
const ASLEEP = { ...QUICK, pollMs: 600_000, heartbeatMs: 600_000, patienceMs: 600_000 };

/** A campaign whose events are written by the test. */
function journal(count = 0) {
  const events: EventView[] = [];
  const asked: unknown[] = [];
  const write = (kind: string): void => {
    events.push({ id: (events.at(-1)?.id ?? 0) + 2, at: '2026-01-01T00:00:00.000Z', kind, ordinal: null, data: {} });
  };
  for (let index = 0; index < count; index += 1) write(`old.${index}`);
  const { api } = echoApi();
  const served: CladeApi = {
    ...api,
    async events(name, { after = 0, limit, latest }) {
      asked.push(name);
      if (name === 'broken') return api.events(name, { limit });
      const found = events.filter(({ id }) => id > after);
      return (latest === true ? found.reverse() : found).slice(0, limit);
    },
  };
  return { api: served, write, asked };
}

function open(count: number, limits = QUICK) {
  const bugs: Error[] = [];
  const made = journal(count);
  const app = createApp(made.api, { token: 't', limits, onBug: (error) => bugs.push(error) });
  onTestFinished(() => app.close());
  const ask = (path = PATH, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(path, { method, headers: { ...HEADERS, ...headers } });
  return { ...made, app, ask, bugs };
}

/** The lines of a stream as they come. */
function linesOf(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    /** What is said up to the next empty line; null at the end. */
    async next(): Promise<string | null> {
      for (;;) {
        const at = rest.indexOf('\n\n');
        if (at >= 0) {
          const said = rest.slice(0, at);
          rest = rest.slice(at + 2);
          return said;
        }
        const read = await reader?.read();
        if (read === undefined || read.done) return null;
        rest += read.value;
      }
    },
    leave: () => reader?.cancel(),
  };
}

const idOf = (said: string | null): number => Number(/^id: (\d+)$/m.exec(said ?? '')?.[1]);
const eventOf = (said: string | null): EventView => JSON.parse(/^data: (.*)$/m.exec(said ?? '')?.[1] ?? 'null');

test('a stream begins with what is written from now on, each event with its id', async () => {
  const { ask, write } = open(3);
  const response = await ask();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  const lines = linesOf(response);
  write('job.settled\n\ndata: "forged"');
  const said = await lines.next();
  expect(idOf(said)).toBe(8);
  expect(eventOf(said)).toMatchObject({ id: 8, kind: 'job.settled\n\ndata: "forged"' });
  write('another');
  expect(eventOf(await lines.next()).kind).toBe('another');
});

test.each([
  ['Last-Event-ID', PATH, { 'last-event-id': '4' }, ['old.2', 'old.3']],
  ['after', `${PATH}?after=6`, {}, ['old.3']],
  ['Last-Event-ID before after', `${PATH}?after=0`, { 'last-event-id': '6' }, ['old.3']],
  ['after where Last-Event-ID is no number', `${PATH}?after=6`, { 'last-event-id': '6; x' }, ['old.3']],
])('a stream resumes by %s', async (_how, path, headers, kinds) => {
  const lines = linesOf(await open(4).ask(path, headers));
  for (const kind of kinds) expect(eventOf(await lines.next()).kind).toBe(kind);
});

test('many events come in pages, none twice and none lost', async () => {
  const lines = linesOf(await open(250).ask(`${PATH}?after=0`));
  for (let index = 0; index < 250; index += 1) expect(eventOf(await lines.next()).kind).toBe(`old.${index}`);
});

test('a quiet stream says that it is there', async () => {
  const lines = linesOf(await open(0, { ...QUICK, heartbeatMs: 20 }).ask());
  expect(await lines.next()).toBe(': still here');
  expect(await lines.next()).toBe(': still here');
});

test('wrong questions and unknown campaigns are refused as elsewhere', async () => {
  const { app } = open(0);
  const missing = createApp(echoApi().api, { token: 't' });
  expect((await missing.request('/api/campaigns/missing/events/stream', { headers: HEADERS })).status).toBe(404);
  for (const query of ['after=x', 'after=-1', 'from=1']) {
    expect((await app.request(`${PATH}?${query}`, { headers: HEADERS })).status).toBe(400);
  }
  expect((await app.request(PATH, { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await app.request(PATH, { headers: { ...HEADERS, origin: 'http://evil.example' } })).status).toBe(403);
});

test('readers are bounded; one that leaves makes room, and HEAD takes none', async () => {
  const { ask } = open(0);
  const streams = [linesOf(await ask()), linesOf(await ask())];
  for (let times = 0; times < 5; times += 1) {
    const head = await ask(PATH, {}, 'HEAD');
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  }
  streams.push(linesOf(await ask()));
  const refused = await ask();
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: { code: 'infrastructure' } });
  await streams[1]?.leave();
  expect((await ask()).status).toBe(200);
});

test('a reader that takes nothing is dropped, and its place is free', async () => {
  const { ask, write } = open(0, { ...QUICK, readers: 1, patienceMs: 20, heartbeatMs: 20 });
  const lines = linesOf(await ask());
  write('one');
  await lines.next();
  await eventually(async () => (await ask()).status === 200);
});

test('a fault of the database ends a stream, quietly; what nobody foresaw is reported', async () => {
  const { api, bugs, ask } = open(0);
  const faults: Error[] = [new InfrastructureError('the database is away'), new TypeError('nobody foresaw this')];
  const events = api.events;
  let calls = 0;
  api.events = (name, query) => (query.latest === true ? events(name, query) : Promise.reject(faults[calls++]));
  expect(await linesOf(await ask()).next()).toBeNull();
  expect(bugs).toEqual([]);
  expect(await linesOf(await ask()).next()).toBeNull();
  expect(bugs).toEqual([faults[1]]);
});

test('closing ends all streams, and nobody is asked for events afterwards', async () => {
  const { app, ask, asked, write } = open(0);
  const [idle, waiting] = [linesOf(await ask()), linesOf(await ask())];
  write('one');
  await waiting.next();
  const ending = waiting.next();
  await app.close();
  expect(await ending).toBeNull();
  const count = asked.length;
  expect(eventOf(await idle.next()).kind).toBe('one');
  expect(await idle.next()).toBeNull();
  expect(await linesOf(await ask()).next()).toBeNull();
  // The latest event, where that stream would have begun.
  expect(asked.length).toBe(count + 1);
});

test('closing waits for a look at the events that is under way: the database closes next', async () => {
  const { api, app, ask } = open(0);
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<EventView[]>();
  const events = api.events;
  api.events = (name, query) => {
    if (query.latest === true) return events(name, query);
    asked.resolve();
    return answer.promise;
  };
  const ending = linesOf(await ask()).next();
  await asked.promise;
  let closed = false;
  const closing = app.close().then(() => {
    closed = true;
  });
  expect(await ending).toBeNull();
  expect(closed).toBe(false);
  answer.resolve([]);
  await closing;
});

test('a bell wakes a stream; a burst of it is few looks', async () => {
  const { api, asked, write } = journal();
  const hearing = new Set<(heard: null) => void>();
  const bell: Pick<Bell, 'subscribe'> = {
    subscribe(hear) {
      hearing.add(hear);
      return () => void hearing.delete(hear);
    },
  };
  const app = createApp(api, { token: 't', bell, limits: { ...ASLEEP, gapMs: 200 } });
  onTestFinished(() => app.close());
  const lines = linesOf(await app.request(PATH, { headers: HEADERS }));
  const read = (async () => {
    for (let index = 0; index < 50; index += 1) expect(eventOf(await lines.next()).kind).toBe(`no.${index}`);
  })();
  await eventually(() => asked.length === 2);
  for (let index = 0; index < 50; index += 1) {
    write(`no.${index}`);
    for (const hear of hearing) hear(null);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await read;
  // One for each was 52.
  expect(asked.length).toBeLessThan(20);
  await lines.leave();
  expect(hearing.size).toBe(0);
});

async function serve(api: CladeApi, options: Partial<Parameters<typeof startServer>[2]> = {}) {
  const file = join(await temporary(), '.clade/address.json');
  const server = await startServer(api, file, { bell: null, ...options });
  onTestFinished(() => server.close());
  return server;
}

test('a server with open streams closes', async () => {
  const { api } = journal(2);
  const server = await serve(api);
  const lines = linesOf(await fetch(`${server.url}${PATH}?after=0`));
  expect(eventOf(await lines.next()).kind).toBe('old.0');
  const [, ended] = await Promise.all([
    server.close(),
    lines
      .next()
      .then(() => lines.next())
      .catch(() => null),
  ]);
  expect(ended).toBeNull();
});

test('a connection that breaks ends its stream', async () => {
  const { api, asked } = journal(1);
  const server = await serve(api, { limits: QUICK });
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made = connect(Number(new URL(server.url).port), '127.0.0.1', () => resolve(made));
    made.once('error', reject);
  });
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await eventually(() => asked.length > 2);
  socket.destroy();
  // It asks no more: the count stands still for longer than it takes to look twice.
  await eventually(async () => {
    const before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return asked.length === before;
  });
});

describeDatabases('a run', (databases) => {
  test('its events arrive while it goes on', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    const campaign = await campaignIn(workspace, { jobs: 2 });
    const run = host.run(campaign);
    const server = await serve(host.api, { bell: store.bell, limits: ASLEEP });
    await eventually(async () => (await host.api.campaigns()).length > 0);
    const lines = linesOf(await fetch(`${server.url}/api/campaigns/counting/events/stream?after=0`));
    const seen: EventView[] = [];
    do seen.push(eventOf(await lines.next()));
    while (seen.at(-1)?.kind !== 'campaign.finished');
    await run;
    expect(seen).toEqual(await databaseApi(store.db, workspace).events('counting', { limit: 1000 }));
    await server.close();
  });
});
