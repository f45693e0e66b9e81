import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/index.ts';
import { InfrastructureError, InterruptedError } from '../../src/errors.ts';
import { readCommit } from '../../src/git/index.ts';
import { commitMessage, generate } from '../../src/pipeline/index.ts';
import { agentThat, inputFor, SIGNAL, workshopOf } from './fixture.ts';

const FINISHED: AgentEvent = { type: 'finished', title: 'Go faster', summary: 'By counting.' };
const failed = (kind: Extract<AgentEvent, { type: 'failed' }>['kind']): AgentEvent => ({
  type: 'failed',
  kind,
  detail: `because of ${kind}`,
});

test('an edit becomes one commit that says where it comes from, the same whenever it is made', async () => {
  const workshop = await workshopOf();
  const agent = agentThat(
    async (task) => {
      await writeFile(join(task.worktree, 'value.txt'), '7\n');
      return [FINISHED];
    },
    { usage: { inputTokens: 3, outputTokens: 4, costUsd: 0.5 } },
  );
  const first = await generate(workshop, agent, inputFor(workshop), SIGNAL);
  if (first.kind !== 'candidate') throw new Error(`expected a candidate, got ${first.kind}`);
  expect(first.changes.map((change) => change.path)).toEqual(['value.txt']);
  expect(first.usage).toEqual({ inputTokens: 3, outputTokens: 4, costUsd: 0.5 });
  expect(first.brief).toContain('go faster');
  const { message, parents } = await readCommit(workshop.hub, first.commit);
  expect(parents).toEqual([workshop.root.commit]);
  expect(message).toBe('Go faster\n\nBy counting.\n\nClade-Campaign: counting\nClade-Job: 1\nClade-Base: 0\n');

  const again = await generate(workshop, agent, { ...inputFor(workshop), lane: 1 }, SIGNAL);
  expect(again).toEqual(first);
});

test('a commit message without a title or with nothing new in its summary', () => {
  const input = { ordinal: 4, base: { ordinal: 2 } };
  const trailers = 'Clade-Campaign: c\nClade-Job: 4\nClade-Base: 2\n';
  expect(commitMessage('c', input, { title: '', summary: '' })).toBe(`Candidate 4\n\n${trailers}`);
  expect(commitMessage('c', input, { title: 'T', summary: 'T\n' })).toBe(`T\n\n${trailers}`);
});

test.each([
  ['finished without an edit', [FINISHED], { kind: 'no_change', reason: 'the agent changed nothing' }],
  ['found nothing', [failed('nothing')], { kind: 'no_change', reason: 'because of nothing' }],
  ['crashed', [failed('crash')], { kind: 'failed', stage: 'agent', failure: 'crash', reason: 'because of crash' }],
  ['was too slow', [failed('timeout')], { kind: 'failed', stage: 'agent', failure: 'timeout' }],
  ['refused', [failed('refused')], { kind: 'failed', stage: 'agent', failure: 'refused' }],
  ['said nothing at all', [], { kind: 'failed', stage: 'agent', failure: 'crash' }],
] as const)('an agent that %s', async (_name, events, wanted) => {
  const workshop = await workshopOf();
  const agent = agentThat(async () => events);
  expect(await generate(workshop, agent, inputFor(workshop), SIGNAL)).toMatchObject(wanted);
});

test('what an agent left before it failed is a candidate all the same', async () => {
  const workshop = await workshopOf();
  const agent = agentThat(async (task) => {
    await writeFile(join(task.worktree, 'value.txt'), '9\n');
    return [failed('timeout')];
  });
  expect(await generate(workshop, agent, inputFor(workshop), SIGNAL)).toMatchObject({ kind: 'candidate' });
});

test('an edit outside the scope fails the job and names the path', async () => {
  const workshop = await workshopOf();
  const agent = agentThat(async (task) => {
    await writeFile(join(task.worktree, 'README.md'), 'mine\n');
    return [FINISHED];
  });
  const generated = await generate(workshop, agent, inputFor(workshop), SIGNAL);
  expect(generated).toMatchObject({ kind: 'failed', stage: 'scope', failure: 'scope' });
  expect(generated).toHaveProperty('reason', expect.stringContaining('README.md'));
});

test('a lane that an agent destroyed serves the next job', async () => {
  const workshop = await workshopOf();
  const vandal = agentThat(async (task) => {
    await rm(task.worktree, { recursive: true });
    await mkdir(task.worktree);
    return [failed('crash')];
  });
  await generate(workshop, vandal, inputFor(workshop, 1), SIGNAL).catch(() => undefined);
  const honest = agentThat(async (task) => {
    await writeFile(join(task.worktree, 'value.txt'), '2\n');
    return [FINISHED];
  });
  const next = await generate(workshop, honest, inputFor(workshop, 2), SIGNAL);
  expect(next).toMatchObject({ kind: 'candidate', changes: [{ path: 'value.txt' }] });
});

test('an aborted signal is an interruption, whatever the agent throws then', async () => {
  const workshop = await workshopOf();
  const stop = new AbortController();
  const agent = agentThat(async (_task, signal) => {
    stop.abort();
    signal.throwIfAborted();
    return [];
  });
  await expect(generate(workshop, agent, inputFor(workshop), stop.signal)).rejects.toThrow(InterruptedError);
});

test('a fault of the machine is passed on, and the scratch folder is gone', async () => {
  const workshop = await workshopOf();
  const agent = agentThat(async () => {
    throw new InfrastructureError('no such agent here');
  });
  await expect(generate(workshop, agent, inputFor(workshop), SIGNAL)).rejects.toThrow('no such agent here');
  await expect(rm(join(workshop.folders.scratch, 'job-1'))).rejects.toThrow('ENOENT');
});

test.each([
  ['unreachable', 'infrastructure'],
  ['shut', 'configuration'],
] as const)('a provider that is %s does not burn the job', async (kind, code) => {
  const workshop = await workshopOf();
  const fault = { kind, message: 'p is gone' };
  const idle = agentThat(async () => [failed('crash')], { fault });
  await expect(generate(workshop, idle, inputFor(workshop), SIGNAL)).rejects.toMatchObject({ code });
  // What was made all the same is judged: it was paid for.
  const able = agentThat(
    async (task) => {
      await writeFile(join(task.worktree, 'value.txt'), '9\n');
      return [failed('crash')];
    },
    { fault },
  );
  expect(await generate(workshop, able, inputFor(workshop), SIGNAL)).toMatchObject({ kind: 'candidate' });
});

test('a job whose own budget left no room for a call is over', async () => {
  const workshop = await workshopOf();
  const poor = agentThat(async () => [failed('crash')], { fault: { kind: 'budget', message: 'job 1: 2 USD' } });
  expect(await generate(workshop, poor, inputFor(workshop), SIGNAL)).toMatchObject({ kind: 'failed', stage: 'agent' });
});
