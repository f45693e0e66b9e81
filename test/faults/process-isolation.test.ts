import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { evaluate } from '../../src/evaluator/index.ts';
import { requester } from '../evaluator/fixture.ts';
import { scratchFolder, watchForLeaks } from '../process/fixture.ts';
import { describeIf } from '../support/requirements.ts';

watchForLeaks();
afterEach(() => vi.unstubAllEnvs());
const SECRET = 'hush-hush-4711';
const spy = resolve(import.meta.dirname, '../fixtures/spy.mjs');
const scratch = await scratchFolder();
const heard: string[] = [];

/** Listens at all that a child might reach, and answers with the secret. */
async function listen(at: { readonly path: string } | { readonly port: number }): Promise<Server> {
  const server = createServer((socket) => {
    heard.push(JSON.stringify(at));
    socket.on('error', () => {});
    socket.end(SECRET);
  });
  server.listen(at);
  await once(server, 'listening');
  afterAll(() => void server.close());
  return server;
}

await describeIf('bubblewrap', 'fault 10: in the sandbox a candidate gets nothing', () => {
  test('of the holdout data, of the environment of the daemon, and of the network', async () => {
    const fenced = await requester('required');
    const holdout = join(scratch, 'holdout');
    await mkdir(holdout);
    await writeFile(join(holdout, 'data'), SECRET);
    vi.stubEnv('DATABASE_URL', `postgres://${SECRET}`);
    const tcp = await listen({ port: 0 });
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4', () => void heard.push('udp'));
    udp.bind(port);
    await once(udp, 'listening');
    const sockets = [join(await scratchFolder(), 'socket'), `\0clade-test-${process.pid}`];
    for (const path of sockets) await listen({ path });
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
    const asked = { files: [join(holdout, 'data')], sockets, port, hosts: [...new Set(['127.0.0.1', ...addresses])] };
    const step = { name: 'spy', kind: null, timeoutMs: 60_000, require: {} };
    const own = await fenced(
      {
        steps: [{ ...step, command: ['node', spy, JSON.stringify(asked)] }],
        splits: ['train', 'holdout'],
        hidden: [{ path: holdout, splits: ['holdout'] }],
      },
      // The folder around it is shown on purpose: it is the mask that hides.
      { readOnly: [scratch, spy] },
    );
    const { evaluation, stderr, isolation } = await evaluate(
      own,
      { onStage: async () => null },
      AbortSignal.timeout(50_000),
    );
    udp.close();
    expect(evaluation).toMatchObject({ status: 'valid' });
    expect(isolation).toBeGreaterThanOrEqual(2);
    // It did look, and saw itself.
    expect(stderr.text).toContain('CLADE_RESULT');
    expect(stderr.text).toContain(`${join(holdout, 'data')}: ENOENT`);
    expect(stderr.text).toContain('tcp 127.0.0.1: ECONNREFUSED');
    expect(stderr.text).not.toContain(SECRET);
    expect(heard).toEqual([]);
  });
});
