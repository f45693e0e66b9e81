import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Receiver } from '../../../src/config/index.ts';
import { deliver } from '../../../src/daemon/notify/deliver.ts';
import { inspectNotify } from '../../../src/daemon/notify/inspect.ts';
import { testMessage } from '../../../src/daemon/notify/message.ts';
import { temporary, writeFiles } from '../../pipeline/fixture.ts';
import { inbox } from '../../support/receiver.ts';

const on = ['best'] as const;
const MESSAGE = testMessage({ name: 'zstd' });

const toUrl = (url: string, timeoutMs = 20_000): Receiver => ({
  ...{ kind: 'url', on, timeoutMs, headersEnv: {}, place: { url } },
});
const toCommand = (command: string[], env: string[] = [], timeoutMs = 20_000): Receiver => ({
  ...{ kind: 'command', on, timeoutMs, command, env },
});

function variables(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function send(receiver: Receiver, signal = new AbortController().signal) {
  const directory = await temporary();
  return deliver(receiver, MESSAGE, { directory, folder: join(directory, 'scratch'), signal });
}

test('a POST has the message as JSON', async () => {
  const { url, taken, headers } = await inbox();
  expect(await send(toUrl(url))).toBeNull();
  expect(taken).toEqual([MESSAGE]);
  expect(headers[0]).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'clade' });
});

test('what a receiver answers but 2xx is a failure, and a redirect is not followed', async () => {
  const elsewhere = await inbox();
  expect(await send(toUrl((await inbox(() => 500)).url))).toBe('it answered 500');
  const moved = await inbox(() => ({ redirect: elsewhere.url }));
  expect(await send(toUrl(moved.url))).toBe('it answered 302, a redirect, which is not followed');
  expect(elsewhere.all).toEqual([]);
  expect(await send(toUrl((await inbox(() => 'hangs')).url, 50))).toBe('no answer within 50 ms');
  expect(await send(toUrl(`http://127.0.0.1:${await closedPort()}/`))).toMatch(/ECONNREFUSED/);
});

test('a delivery ends with its signal', async () => {
  const { url, all } = await inbox(() => 'hangs');
  const stop = new AbortController();
  const sent = send(toUrl(url), stop.signal);
  while (all.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  expect(await sent).toMatch(/abort/i);
});

test('secrets come from the environment, and no reason repeats them', async () => {
  const { url, headers } = await inbox();
  const place = { urlEnv: 'HOOK' };
  const secret: Receiver = { kind: 'url', on, timeoutMs: 9_000, place, headersEnv: { Authorization: 'TOKEN' } };
  variables({ TOKEN: 'Bearer very-secret-word' });
  expect(await send(secret)).toBe('the environment variable HOOK is not set');
  variables({ HOOK: `${url}hidden-place\n` });
  expect(await send(secret)).toBeNull();
  expect(headers[0]?.authorization).toBe('Bearer very-secret-word');
  variables({ HOOK: 'not a URL' });
  expect(await send(secret)).toBe('its variable holds no http or https URL');
  variables({ HOOK: 'https://hidden-place.invalid/x', TOKEN: 'Bearer very\nsecret-word' });
  const reason = await send(secret);
  expect(reason).toContain('[redacted]');
  expect(reason).not.toMatch(/secret-word/);
});

test('a command gets the message on stdin and an environment of its own', async () => {
  variables({ CLADE_DATABASE_URL: 'postgres://nobody', WANTED: 'this-one-is-wanted' });
  const folder = await temporary();
  await writeFiles(folder, { 'tell.sh': '#!/bin/sh\ncat > told\nenv > seen\npwd >> seen\n' });
  const place = { directory: folder, folder: join(folder, 'scratch'), signal: new AbortController().signal };
  expect(await deliver(toCommand(['./tell.sh'], ['WANTED']), MESSAGE, place)).toBeNull();
  expect(JSON.parse(await readFile(join(folder, 'told'), 'utf8'))).toEqual(MESSAGE);
  const seen = await readFile(join(folder, 'seen'), 'utf8');
  expect(seen).toContain('WANTED=this-one-is-wanted');
  expect(seen).toContain(`HOME=${join(folder, 'scratch')}`);
  expect(seen).not.toContain('postgres://nobody');
});

test('a command that fails, hangs or is not there is a failure', async () => {
  variables({ WANTED: 'this-one-is-wanted' });
  expect(await send(toCommand(['sh', '-c', 'echo "no: $WANTED" >&2; exit 3'], ['WANTED']))).toBe(
    'it ended with 3: no: [redacted]',
  );
  expect(await send(toCommand(['sh', '-c', 'sleep 60 & sleep 60'], [], 100))).toBe('it did not end in time');
  expect(await send(toCommand(['./not-there']))).toMatch(/not found/);
  // One that does not read what it is told.
  expect(await send(toCommand(['true']))).toBeNull();
});

test('a look at the receivers says which of them cannot work', async () => {
  variables({ TOKEN: 'x' });
  const directory = await temporary();
  await writeFiles(directory, { 'tell.sh': '#!/bin/sh\n', 'plain.txt': '' });
  const headersEnv = { A: 'TOKEN', B: 'UNSET_ONE' };
  const notify: Receiver[] = [
    toUrl('https://hooks.example.org/T0/secret-path'),
    { kind: 'url', on, timeoutMs: 1, place: { urlEnv: 'UNSET_TWO' }, headersEnv },
    toCommand(['./tell.sh']),
    toCommand(['./plain.txt']),
    toCommand(['no-such-program-anywhere']),
    toCommand(['./tell.sh', 'x'], ['UNSET_ONE']),
  ];
  expect((await inspectNotify({ directory, notify })).map(({ verdict, text }) => [verdict, text])).toEqual([
    ['fine', 'https://hooks.example.org is told of best'],
    ['problem', '$UNSET_TWO: UNSET_TWO, UNSET_ONE not set'],
    ['fine', './tell.sh is told of best'],
    ['problem', './plain.txt is not found or not executable'],
    ['problem', 'no-such-program-anywhere is not found or not executable'],
    ['warning', './tell.sh is told of best; UNSET_ONE not set'],
  ]);
});
