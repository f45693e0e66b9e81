import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { mayBlameJob } from '../../src/daemon/blame.ts';
import { ConfigurationError, GitError, InfrastructureError, InterruptedError } from '../../src/errors.ts';

test.each([
  ['a bug', new TypeError('x is undefined'), true],
  ['what Git refuses', new GitError('git update-ref failed', ''), true],
  ['a machine that failed', new InfrastructureError('the database is away'), false],
  ['a shutdown', new InterruptedError('stopped'), false],
  ['a mistake of the configuration', new ConfigurationError('no key'), false],
])('%s', async (_what, error, blamed) => {
  expect(await mayBlameJob(error, tmpdir())).toBe(blamed);
});

test('what the operating system refuses is the machine’s', async () => {
  const error = await mkdir('/proc/none').catch((refused) => refused);
  expect(error).toBeInstanceOf(Error);
  expect(await mayBlameJob(error, tmpdir())).toBe(false);
});

test('a Git without its folder blames no job', async () => {
  expect(await mayBlameJob(new GitError('git failed', ''), '/nowhere')).toBe(false);
});
