import { expect, test } from 'vitest';
import { GitError } from '../src/errors.ts';

test('an error of Git says why, in one line', () => {
  const error = new GitError('git fetch failed (exit 128)', 'warning: slow\nfatal: could not read from remote\n');
  expect(error.message).toBe('git fetch failed (exit 128): fatal: could not read from remote');
  expect(error.stderr).toContain('warning: slow');
  expect(new GitError('git gc failed (SIGKILL)', '').message).toBe('git gc failed (SIGKILL)');
});
