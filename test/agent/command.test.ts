import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAgent, summarise } from '../../src/agent/index.ts';
import { InfrastructureError } from '../../src/errors.ts';
import { collect, openWorkshop, PACK, PLAIN, type Workshop } from './workshop.ts';

const directory = resolve(import.meta.dirname, '../fixtures/agents');
const agentFor = (command: string[], env: string[] = []) =>
  createAgent({ ...PLAIN, kind: 'command', command, timeoutMs: 60_000, env, network: false }, { directory });
afterEach(() => void vi.unstubAllEnvs());

const packOf = (workshop: Workshop) => readFileSync(join(workshop.worktree, 'pack.js'), 'utf8');

describe('how the brief arrives', () => {
  it('on stdin', async () => {
    using workshop = openWorkshop();
    await collect(agentFor(['./edit.sh']), workshop.task());
    expect(readFileSync(join(workshop.outside, 'scratch/tmp/prompt'), 'utf8')).toBe('# Goal\n\nPack tighter.\n');
  });

  it('in a file that argv names, with stdin empty', async () => {
    using workshop = openWorkshop();
    const events = await collect(agentFor(['./file.sh', '{prompt_file}']), workshop.task());
    expect(events.at(-1)).toMatchObject({ type: 'finished', title: 'file.sh: exit code 0' });
    expect(readFileSync(join(workshop.worktree, 'prompt-copy.md'), 'utf8')).toBe('# Goal\n\nPack tighter.\n');
  });
});

describe('what an agent makes of its run', () => {
  it('takes the title from the last line and keeps what was printed', async () => {
    using workshop = openWorkshop();
    const proposal = summarise(await collect(agentFor(['./edit.sh']), workshop.task()));
    expect(proposal.title).toBe('edit.sh: raised the cooling rate');
    expect(proposal.transcript).toContain('thinking');
    expect(packOf(workshop)).toBe(PACK.replace('0.95', '0.99'));
  });

  it('finishes without a change', async () => {
    using workshop = openWorkshop();
    const events = await collect(agentFor(['./nothing.sh']), workshop.task());
    expect(events).toEqual([{ type: 'finished', title: 'nothing.sh: exit code 0', summary: '' }]);
    expect(packOf(workshop)).toBe(PACK);
  });

  it('finishes with exit code 3 when nobody answers its question', async () => {
    using workshop = openWorkshop();
    const events = await collect(agentFor(['./ask.sh']), workshop.task());
    expect(events.at(-1)).toMatchObject({ type: 'finished', title: 'ask.sh: May I edit pack.js? [y/n]' });
    expect(packOf(workshop)).toBe(PACK);
  });

  it('bounds a flood and keeps it valid text', async () => {
    using workshop = openWorkshop();
    const proposal = summarise(await collect(agentFor(['./flood.sh']), workshop.task()));
    expect(proposal.transcript.length).toBeLessThan(1_000_000);
    expect(proposal.transcript).not.toContain('\0');
    expect(proposal.transcript.isWellFormed()).toBe(true);
    expect(proposal.title.length).toBeLessThanOrEqual(100);
    expect(packOf(workshop)).toContain('// flooded');
  });

  it('leaves the commit of an agent that commits to the pipeline', async () => {
    using workshop = openWorkshop();
    const events = await collect(agentFor(['./commit.sh']), workshop.task({ sandbox: 'off' }));
    expect(events.at(-1)?.type).toBe('finished');
    expect(execFileSync('git', ['log', '--format=%s'], { cwd: workshop.worktree, encoding: 'utf8' })).toContain(
      'Done by the agent',
    );
  });

  it('finishes when everything was deleted, but for what lies outside', async () => {
    using workshop = openWorkshop();
    const events = await collect(agentFor(['./wipe.sh']), workshop.task());
    expect(events.at(-1)?.type).toBe('finished');
    expect(existsSync(join(workshop.worktree, 'pack.js'))).toBe(false);
    expect(existsSync(join(workshop.outside, 'scratch'))).toBe(true);
  });

  it('is infrastructure when the command does not exist', async () => {
    using workshop = openWorkshop();
    await expect(collect(agentFor(['no-such-agent']), workshop.task())).rejects.toThrow(InfrastructureError);
  });
});

it('passes only the variables that are named', async () => {
  using workshop = openWorkshop();
  vi.stubEnv('CLADE_TEST_KEY', 'secret');
  vi.stubEnv('CLADE_TEST_OTHER', 'secret');
  const events = await collect(agentFor(['./environment.sh'], ['CLADE_TEST_KEY']), workshop.task());
  const names = readFileSync(join(workshop.worktree, 'names.txt'), 'utf8').split('\n');
  expect(names).toContain('CLADE_TEST_KEY');
  expect(names).toContain('HOME');
  expect(names).not.toContain('CLADE_TEST_OTHER');
  expect(events.at(-1)).toMatchObject({ type: 'finished', title: 'environment.sh: ended by SIGKILL' });
});

it('keeps no key that was printed, neither in the transcript nor in title and summary', async () => {
  using workshop = openWorkshop();
  vi.stubEnv('CLADE_TEST_KEY', 'sk-123456789');
  const line = 'echo $CLADE_TEST_KEY; printenv CLADE_TEST_KEY | base64 >&2; echo "used $CLADE_TEST_KEY"';
  const events = await collect(agentFor(['sh', '-c', line], ['CLADE_TEST_KEY']), workshop.task());
  expect(JSON.stringify(events)).not.toMatch(/sk-123456789|c2stMTIz/);
  expect(events.at(-1)).toMatchObject({ title: 'sh: used [redacted]', summary: '[redacted]\nused [redacted]' });
});

it('has failed when it took more than it may', async () => {
  using workshop = openWorkshop();
  const limits = { memoryBytes: 50e6, fileBytes: null, diskBytes: null, tmpBytes: null, cpuMs: null };
  const hog = '(head -c 100000000 /dev/zero; sleep 60) | tail';
  const events = await collect(agentFor(['sh', '-c', hog]), workshop.task({ limits }));
  expect(events.at(-1)).toMatchObject({
    type: 'failed',
    kind: 'crash',
    detail: expect.stringContaining('memory limit'),
  });
});
