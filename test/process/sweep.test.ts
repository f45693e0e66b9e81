import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findMarked, processStart, run, sweepStrays, workspaceMark } from '../../src/process/index.ts';
import { shell, watchForLeaks } from './fixture.ts';

const workspace = watchForLeaks();
const index = new URL('../../src/process/index.ts', import.meta.url).href;

/** A daemon that is killed while its child runs, of which two grandchildren left the group: these stay behind. */
async function killedDaemon(): Promise<void> {
  const source = `
    import { nameWorkspace, run } from ${JSON.stringify(index)};
    nameWorkspace(${JSON.stringify(workspace)});
    const line = 'setsid sleep 300 & setsid sleep 301 & sleep 0.2; echo up; exec sleep 302';
    await run({ argv: ['/bin/sh', '-c', line], cwd: '/', env: {}, timeoutMs: 60000, onStdout: () => console.log('up') });`;
  const daemon = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(daemon.stdout, 'data');
  daemon.kill('SIGKILL');
  await once(daemon, 'exit');
}

test('what a killed daemon left is found and ended, by its workspace only', async () => {
  await killedDaemon();
  await expect.poll(() => findMarked(workspace).length).toBe(2);
  expect(await sweepStrays('another')).toEqual([]);
  expect(findMarked(workspace)).toHaveLength(2);
  expect(await sweepStrays(workspace)).toHaveLength(2);
});

test('the children of a living owner are left alone', async () => {
  const controller = new AbortController();
  const running = run(shell('exec sleep 300', { signal: controller.signal }));
  await expect.poll(() => findMarked(workspace).length).toBe(1);
  expect(await sweepStrays(workspace)).toEqual([]);
  expect(findMarked(workspace)).toHaveLength(1);
  controller.abort();
  await running;
});

test('a process is known by pid and start', async () => {
  const start = processStart(process.pid);
  expect(start).toBeGreaterThan(0);
  expect(processStart(process.pid)).toBe(start);
  const child = spawn('sleep', ['300']);
  expect(processStart(child.pid ?? 0)).toBeGreaterThanOrEqual(start ?? Number.POSITIVE_INFINITY);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(processStart(child.pid ?? 0)).toBeNull();
});

test('a process whose name holds spaces and parentheses is read right', async () => {
  const child = spawn(process.execPath, ['-e', 'process.title = ") S 1 (x y"; setInterval(() => {}, 1000)']);
  await sleep(300);
  expect(processStart(child.pid ?? 0)).toBeGreaterThanOrEqual(processStart(process.pid) ?? Number.POSITIVE_INFINITY);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('a workspace has one short mark', () => {
  expect(workspaceMark('/a')).toBe(workspaceMark('/a'));
  expect(workspaceMark('/a')).not.toBe(workspaceMark('/b'));
  expect(workspaceMark('/a')).toMatch(/^[0-9a-f]{16}$/);
});
