import { describe, expect, test } from 'vitest';
import { InfrastructureError } from '../../src/errors.ts';
import { launch } from '../../src/process/index.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const shell = (line: string) => ({
  file: 'sh',
  argv: ['-c', line],
  cwd: '/tmp',
  env: { PATH },
  detached: false,
  outputs: 2,
});

describe('launch', () => {
  test('takes all output in order, also what is left in the pipe when the child ends before it is read', async () => {
    const taken: number[] = [];
    const child = await launch(shell('seq 1 100000'), [
      async (chunk) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        taken.push(...chunk);
      },
    ]);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    await child.drained;
    const wanted = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(Buffer.from(taken).equals(Buffer.from(wanted))).toBe(true);
  });

  test('says why a program could not be started', async () => {
    const child = await launch({ ...shell(''), file: '/nowhere/at/all' }, []);
    expect(child).toMatchObject({ pid: null, failure: expect.stringContaining('ENOENT') });
  });

  test('rejects what was in flight when the launcher dies, and starts another', async () => {
    const child = await launch(shell('sleep 0.3; kill -9 $PPID; sleep 1'), []);
    await expect(child.exited).rejects.toThrow(InfrastructureError);
    const next = await launch(shell('exit 3'), []);
    expect(await next.exited).toEqual({ code: 3, signal: null });
  });
});
