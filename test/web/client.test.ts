import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseApi } from '../../src/daemon/index.ts';
import { InfrastructureError } from '../../src/errors.ts';
import { insertArtifacts } from '../../src/store/index.ts';
import { findAddress, httpApi, startServer } from '../../src/web/index.ts';
import { hostOn } from '../daemon/fixture.ts';
import { campaignIn, temporary } from '../pipeline/fixture.ts';
import { describeDatabases } from '../support/databases.ts';
import { echoApi } from './sample.ts';

async function serve(api = echoApi().api) {
  const file = join(await temporary(), '.clade/address.json');
  const server = await startServer(api, file, { bell: null });
  onTestFinished(() => server.close());
  const address = await findAddress(file);
  if (address === null) throw new Error('no address was published');
  return { file, server, client: httpApi(address) };
}

test('questions arrive as they were asked', async () => {
  const { client } = await serve();
  const query = { limit: 5, outcome: 'failed', latest: true, after: 3 } as const;
  expect(await client.jobs('a/b ü', query)).toEqual({ question: ['jobs', 'a/b ü', query] });
  expect(await client.events('x', { after: 0, limit: 1 })).toEqual({
    question: ['events', 'x', { after: 0, limit: 1, latest: false }],
  });
  expect(await client.series('x', { after: -1, limit: 9 })).toEqual({
    question: ['series', 'x', { after: -1, limit: 9 }],
  });
  expect(await client.patchSource('x', { kind: 'front' })).toEqual({
    question: ['patchSource', 'x', { kind: 'front' }],
  });
  expect(await client.explain('x', 7)).toEqual({ question: ['explain', 'x', 7] });
  const source = { kind: 'patch', name: 'ü.patch', base64: 'LS0tCg==' } as const;
  expect(await client.seed('x', source)).toEqual({ question: ['seed', 'x', source] });
  expect(await client.rehearse('x')).toEqual({ question: ['rehearse', 'x'] });
  expect(await client.stop('x')).toEqual({ question: ['stop', 'x'] });
  expect(await client.cancel('x', 7)).toEqual({ question: ['cancel', 'x', 7] });
  expect(await client.retry('x', 7)).toEqual({ question: ['retry', 'x', 7] });
  expect(await client.artifact(1)).toEqual({
    name: 'plöt "1"\n.svg',
    mediaType: 'image/svg+xml',
    content: new TextEncoder().encode('<script>alert(1)</script>'),
  });
});

test('errors come back as they were thrown', async () => {
  const { client } = await serve();
  const missing = await client.status('missing').catch((error) => error);
  expect(missing).toMatchObject({ code: 'not_found', message: 'there is no such thing', hint: 'look elsewhere' });
  await expect(client.pause('finished')).rejects.toMatchObject({ code: 'conflict' });
});

test('the address is for the same user alone, and gone with the server', async () => {
  const { file, server, client } = await serve();
  expect((await stat(file)).mode & 0o077).toBe(0);
  await server.close();
  expect(await findAddress(file)).toBeNull();
  await expect(client.campaigns()).rejects.toThrow(InfrastructureError);
});

test('the address of a dead process, or half of one, is none', async () => {
  const { file } = await serve();
  const text = await readFile(file, 'utf8');
  await writeFile(file, JSON.stringify({ ...JSON.parse(text), start: 1 }));
  expect(await findAddress(file)).toBeNull();
  await writeFile(file, text.slice(0, 20));
  expect(await findAddress(file)).toBeNull();
});

test('an answer that breaks off is a fault of the connection', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
    response.write('[{"half":', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('not listening');
  const client = httpApi({ url: `http://127.0.0.1:${bound.port}`, token: 't', pid: 1, start: 1 });
  await expect(client.campaigns()).rejects.toThrow(InfrastructureError);
});

test('a taken port is said with what to do', async () => {
  const { server } = await serve();
  const file = join(await temporary(), 'address.json');
  const error = await startServer(echoApi().api, file, { bell: null, port: Number(new URL(server.url).port) }).catch(
    (reason) => reason,
  );
  expect(error).toMatchObject({ code: 'infrastructure', hint: 'choose another with --port' });
});

describeDatabases('over HTTP', (databases) => {
  test('everything reads as from the database', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    await host.run(await campaignIn(workspace, { jobs: 6 }));
    const stored = databaseApi(store.db, workspace);
    const one = await stored.job('counting', 1);
    await store.db
      .transaction()
      .execute((trx) =>
        insertArtifacts(trx, { campaignId: 1, ordinal: 1, tree: one.tree ?? '' }, [
          { name: 'a.csv', mediaType: 'text/csv', content: new Uint8Array([0, 255, 10]) },
        ]),
      );
    const { client } = await serve(host.api);
    for (const ask of [
      (api: typeof stored) => api.campaigns(),
      (api: typeof stored) => api.status('counting'),
      (api: typeof stored) => api.jobs('counting', { limit: 3, latest: true }),
      (api: typeof stored) => api.jobs('counting', { limit: 3, after: 2, outcome: 'candidate' }),
      (api: typeof stored) => api.job('counting', 1),
      (api: typeof stored) => api.explain('counting', 6),
      (api: typeof stored) => api.diff('counting', 1),
      (api: typeof stored) => api.brief('counting', 6),
      (api: typeof stored) => api.brief('counting', 0),
      (api: typeof stored) => api.candidate(one.commit ?? ''),
      (api: typeof stored) => api.archive('counting'),
      (api: typeof stored) => api.events('counting', { after: 2, limit: 4 }),
      (api: typeof stored) => api.events('counting', { after: 9, limit: 4, latest: true }),
      (api: typeof stored) => api.series('counting', { after: -1, limit: 10_000 }),
      (api: typeof stored) => api.series('counting', { after: 2, limit: 3 }),
      (api: typeof stored) => api.patchSource('counting', { kind: 'best' }),
      (api: typeof stored) => api.patchSource('counting', { kind: 'front' }),
      (api: typeof stored) => api.patchSource('counting', { kind: 'job', ordinal: 2 }),
    ]) {
      expect(await ask(client)).toEqual(await ask(stored));
    }
    const change = await client.diff('counting', 1);
    expect(change).toMatchObject({ from: one.parentCommit, to: one.commit, truncated: false });
    expect(change.text).toMatch(/^diff --git a\/value\.txt b\/value\.txt\n(.*\n)+-0\n\+/);
    await expect(client.diff('counting', 0)).rejects.toMatchObject({ code: 'not_found' });
    const artifact = (await client.job('counting', 1)).artifacts[0];
    expect(artifact?.name).toBe('a.csv');
    const [there, here] = [await client.artifact(artifact?.id ?? 0), await stored.artifact(artifact?.id ?? 0)];
    expect({ ...there, content: [...there.content] }).toEqual({ ...here, content: [...here.content] });
  });
});
