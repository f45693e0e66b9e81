/** What the tests of `process/` share: scratch folders, requests for shell lines, and the check that nobody is left. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, expect } from 'vitest';
import {
  baseEnvironment,
  findMarked,
  nameWorkspace,
  type RunRequest,
  type SandboxSpec,
} from '../../src/process/index.ts';

/** Names this test file's runs, and after each test looks for processes of theirs. */
export function watchForLeaks(): string {
  const workspace = `test${randomBytes(6).toString('hex')}`;
  nameWorkspace(workspace);
  afterEach(() => expect(findMarked(workspace)).toEqual([]));
  return workspace;
}

/** A folder that is gone after the file's tests. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-test-'));
  // Not `rm` of Node, which gives up on paths that are too long; some of these tests make them.
  afterAll(() => promisify(execFile)('rm', ['-rf', '--', folder]));
  return folder;
}

/** A request that runs one line of shell; generous with time. */
export function shell(line: string, more: Partial<RunRequest> = {}): RunRequest {
  const env = baseEnvironment({ home: '/tmp', tmp: '/tmp' });
  return { argv: ['sh', '-c', line], cwd: '/tmp', env, timeoutMs: 60_000, graceMs: 300, ...more };
}

export function sandbox(more: Partial<SandboxSpec> = {}): SandboxSpec {
  return { mode: 'prefer', network: false, readOnly: [], writable: [], hidden: [], ...more };
}
