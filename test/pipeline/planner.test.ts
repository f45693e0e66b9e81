import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AgentEvent, planOf, type Task } from '../../src/agent/index.ts';
import { InfrastructureError } from '../../src/errors.ts';
import { generate } from '../../src/pipeline/index.ts';
import { agentThat, inputFor, SIGNAL, workshopOf } from './fixture.ts';

const finished = (summary: string): AgentEvent => ({ type: 'finished', title: 'A title', summary });
const message = (text: string): AgentEvent => ({ type: 'message', text });
const CRASHED: AgentEvent = { type: 'failed', kind: 'crash', detail: 'it fell over' };

/** Makes value.txt say 7. */
async function edit({ worktree }: Task): Promise<readonly AgentEvent[]> {
  await writeFile(join(worktree, 'value.txt'), '7\n');
  return [message('I code'), finished('Done.')];
}

test('a planner reads the same checkout, and its plan is a section of the coder’s brief', async () => {
  const workshop = await workshopOf();
  const tasks: Task[] = [];
  const kept: unknown[] = [];
  const usage = { inputTokens: 3, outputTokens: 4, costUsd: 0.5 };
  const makers = agentThat(
    async (task) => {
      tasks.push(task);
      return edit(task);
    },
    {
      usage,
      planner: async (task) => {
        tasks.push(task);
        expect(await readFile(join(task.worktree, 'value.txt'), 'utf8')).toBe('0\n');
        return [message('I look'), finished('Count higher.')];
      },
    },
  );
  const made = await generate(workshop, makers, inputFor(workshop), SIGNAL, async (planned) => void kept.push(planned));
  expect(made).toMatchObject({ kind: 'candidate', plan: 'Count higher.', planless: null });
  expect(made.usage).toEqual({ inputTokens: 6, outputTokens: 8, costUsd: 1 });
  expect(made.transcript).toBe('# Planner\n\nI look\n\n# Coder\n\nI code');
  expect(kept).toEqual([{ plan: 'Count higher.', transcript: 'I look', usage }]);
  const [planner, coder] = tasks;
  expect([planner?.role, coder?.role]).toEqual(['planner', 'coder']);
  const sections = (task?: Task) => task?.brief.sections.map(({ name }) => name);
  expect(sections(planner)).toEqual(sections(coder));
  expect(JSON.stringify(planner?.brief)).not.toContain('Count higher.');
  expect(made.brief).toContain('Count higher.');
  // Neither can leave something for the other, nor draw what the other draws.
  expect(planner?.scratch).not.toBe(coder?.scratch);
  expect(planner?.rng.uint32()).not.toBe(coder?.rng.uint32());
});

test('whatever a planner does to the checkout, the coder begins with the base', async () => {
  const workshop = await workshopOf();
  const vandal = agentThat(
    async (task) => {
      expect(await readFile(join(task.worktree, 'value.txt'), 'utf8')).toBe('0\n');
      expect(await readFile(join(task.worktree, 'README.md'), 'utf8')).toBe('A target.\n');
      expect(existsSync(join(task.worktree, 'src/new.js'))).toBe(false);
      return edit(task);
    },
    {
      planner: async ({ worktree }) => {
        await writeFile(join(worktree, 'value.txt'), '5\n');
        await writeFile(join(worktree, 'src/new.js'), 'mine');
        await writeFile(join(worktree, '.git'), 'gitdir: /nowhere');
        await rm(join(worktree, 'README.md'));
        return [finished('A plan.')];
      },
    },
  );
  const made = await generate(workshop, vandal, inputFor(workshop), SIGNAL);
  if (made.kind !== 'candidate') throw new Error(`expected a candidate, got ${made.kind}`);
  expect(made.changes.map(({ path }) => path)).toEqual(['value.txt']);
  const alone = await generate(workshop, agentThat(edit), inputFor(workshop), SIGNAL);
  expect(alone).toMatchObject({ commit: made.commit });
});

test.each([
  ['fails', [CRASHED], /it fell over/],
  ['says nothing', [finished(' ')], /said nothing/],
  ['ends without a word', [], /without a word/],
] as const)('a planner that %s leaves the coder without a plan, and the cause is kept', async (_name, events, why) => {
  const workshop = await workshopOf();
  const kept: unknown[] = [];
  const makers = agentThat(edit, { planner: async () => events });
  const made = await generate(workshop, makers, inputFor(workshop), SIGNAL, async (planned) => void kept.push(planned));
  expect(made).toMatchObject({ kind: 'candidate', plan: null, planless: expect.stringMatching(why) });
  expect(made.transcript).toMatch(why);
  expect(made.brief).not.toContain('# Plan');
  expect(kept).toEqual([]);
});

test.each([
  ['unreachable', 'infrastructure'],
  ['shut', 'configuration'],
] as const)('a provider of the planner that is %s does not burn the job', async (kind, code) => {
  const workshop = await workshopOf();
  const planningFault = { kind, message: 'p is gone' };
  const makers = agentThat(edit, { planningFault, planner: async () => [CRASHED] });
  await expect(generate(workshop, makers, inputFor(workshop), SIGNAL)).rejects.toMatchObject({ code });
  // A plan that was made all the same is a plan.
  const able = agentThat(edit, { planningFault, planner: async () => [finished('A plan.')] });
  expect(await generate(workshop, able, inputFor(workshop), SIGNAL)).toMatchObject({ plan: 'A plan.' });
});

test('a job whose budget leaves no room for the planner is over', async () => {
  const workshop = await workshopOf();
  const planningFault = { kind: 'budget', message: 'job 1: 2 USD' } as const;
  const coder = async () => {
    throw new Error('nobody asks the coder');
  };
  const makers = agentThat(coder, { planningFault, planner: async () => [CRASHED] });
  const made = await generate(workshop, makers, inputFor(workshop), SIGNAL);
  expect(made).toMatchObject({ kind: 'failed', stage: 'agent', failure: 'budget', reason: 'job 1: 2 USD' });
});

test('nobody is asked for a plan twice, nor in a later round, nor for a replay', async () => {
  const workshop = await workshopOf();
  const never = async () => {
    throw new InfrastructureError('nobody asks the planner');
  };
  const makers = agentThat(edit, { planner: never });
  const input = { ...inputFor(workshop), planned: { plan: 'What was planned.', transcript: 'I looked' } };
  const made = await generate(workshop, makers, input, SIGNAL);
  expect(made).toMatchObject({ kind: 'candidate', plan: 'What was planned.', planless: null });
  expect(made.brief).toContain('What was planned.');
  expect(made.transcript).toBe('# Planner\n\nI looked\n\n# Coder\n\nI code');
  if (made.kind !== 'candidate') throw new Error(`expected a candidate, got ${made.kind}`);
  const earlier = { commit: made.commit, tree: made.tree, round: 0 };
  expect(await generate(workshop, makers, { ...inputFor(workshop), round: 1, earlier }, SIGNAL)).toMatchObject({
    kind: 'stands',
    plan: null,
  });
  const replay = agentThat(edit, { planner: never, coderKind: 'replay' });
  expect(await generate(workshop, replay, inputFor(workshop, 2), SIGNAL)).toMatchObject({ kind: 'candidate' });
});

test('a plan is the summary, the whole message that the summary ends, or the last message', () => {
  const text = (events: readonly AgentEvent[]) => {
    const plan = planOf(events);
    return plan.kind === 'plan' ? plan.text : null;
  };
  expect(text([message('I look'), finished('The plan.')])).toBe('The plan.');
  expect(text([message('one\ntwo\nthree\n'), message('noise'), finished('three')])).toBe('one\ntwo\nthree');
  expect(text([message('early'), message('late'), message(' '), finished('')])).toBe('late');
  expect(text([message('I look'), CRASHED])).toBeNull();
  expect(text([finished('x'.repeat(20_000))])?.length).toBeLessThan(16_100);
});
