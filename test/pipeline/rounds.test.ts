import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { AgentEvent, Task } from '../../src/agent/index.ts';
import { addWorktree, listRefs, readCommit } from '../../src/git/index.ts';
import { type Generated, type GenerateInput, generate, type Workshop } from '../../src/pipeline/index.ts';
import { agentThat, inputFor, SIGNAL, workshopOf } from './fixture.ts';

const FINISHED: AgentEvent = { type: 'finished', title: 'Go faster', summary: '' };
const REASON = { cause: 'rework', reason: 'build: no', evidence: 'line 7' } as const;

/** Writes these files and is done. */
function writing(files: Readonly<Record<string, string>>, look: (task: Task) => Promise<void> = async () => {}) {
  return agentThat(async (task) => {
    await look(task);
    for (const [path, text] of Object.entries(files)) await writeFile(join(task.worktree, path), text);
    return [FINISHED];
  });
}

async function first(workshop: Workshop, files = { 'value.txt': '7\n' }) {
  return candidate(await generate(workshop, writing(files), inputFor(workshop), SIGNAL));
}

function candidate(made: Generated): Extract<Generated, { kind: 'candidate' }> {
  if (made.kind !== 'candidate') throw new Error(`expected a candidate, got ${made.kind}`);
  return made;
}

/** The round after this proposal. */
function again(workshop: Workshop, { commit, tree }: { commit: string; tree: string }, round = 1): GenerateInput {
  const input = inputFor(workshop);
  const brief = { ...input.brief, rework: REASON };
  return { ...input, round, brief, earlier: { commit, tree, round: round - 1 } };
}

const refsOf = (workshop: Workshop) => listRefs(workshop.hub, 'refs/clade/counting/');

test('a later round goes on from the proposal that came back, and its commit is one on the base', async () => {
  const workshop = await workshopOf();
  const one = await first(workshop);
  const draws: number[] = [];
  const coder = (files: Readonly<Record<string, string>>) =>
    writing(files, async (task) => {
      expect(await readFile(join(task.worktree, 'value.txt'), 'utf8')).toBe('7\n');
      expect([task.role, task.round]).toEqual(['coder', 1]);
      draws.push(task.rng.uint32());
    });
  const two = candidate(await generate(workshop, coder({ 'src/main.js': 'x\n' }), again(workshop, one), SIGNAL));
  expect(two.changes.map(({ path }) => path)).toEqual(['src/main.js', 'value.txt']);
  expect(two.parent).toBe(workshop.root.commit);
  expect((await readCommit(workshop.hub, two.commit)).parents).toEqual([workshop.root.commit]);
  expect(two.brief).toContain('build: no');
  expect(two.brief).toContain('line 7');
  // A killed process does it again, and it comes out the same; another round draws something else.
  expect(await generate(workshop, coder({ 'src/main.js': 'x\n' }), again(workshop, one), SIGNAL)).toEqual(two);
  const zero = await generate(
    workshop,
    agentThat(async (task) => {
      draws.push(task.rng.uint32());
      return [FINISHED];
    }),
    inputFor(workshop),
    SIGNAL,
  );
  expect(zero.kind).toBe('no_change');
  expect(draws[0]).toBe(draws[1]);
  expect(draws[2]).not.toBe(draws[0]);
});

test('every proposal of a job is held by a ref of its own, also through a gc', async () => {
  const workshop = await workshopOf();
  const one = await first(workshop);
  const next = async (from: { commit: string; tree: string }, round: number, value: string) =>
    candidate(await generate(workshop, writing({ 'value.txt': value }), again(workshop, from, round), SIGNAL));
  const two = await next(one, 1, '8\n');
  const three = await next(two, 2, '9\n');
  const refs = await refsOf(workshop);
  expect([...refs].filter(([name]) => !name.endsWith('/root'))).toEqual([
    ['refs/clade/counting/1', three.commit],
    ['refs/clade/counting/1.0', one.commit],
    ['refs/clade/counting/1.1', two.commit],
  ]);
  await promisify(execFile)('git', ['--git-dir', workshop.hub.dir, 'gc', '--prune=now', '--quiet']);
  for (const [index, { commit }] of [one, two, three].entries()) {
    const dir = join(workshop.folders.lanes, `look-${index}`);
    await addWorktree(workshop.hub, dir, commit);
    expect(await readFile(join(dir, 'value.txt'), 'utf8')).toBe(`${7 + index}\n`);
  }
});

test.each<[string, (task: Task) => Promise<readonly AgentEvent[]>, RegExp]>([
  ['changes nothing of it', async () => [FINISHED], /changed nothing/],
  [
    'goes back to the base',
    async ({ worktree }) => {
      await writeFile(join(worktree, 'value.txt'), '0\n');
      return [FINISHED];
    },
    /changed nothing/,
  ],
  ['fails', async () => [{ type: 'failed', kind: 'timeout', detail: 'too slow' }], /too slow/],
  [
    'leaves the scope',
    async ({ worktree }) => {
      await writeFile(join(worktree, 'README.md'), 'mine\n');
      return [FINISHED];
    },
    /README/,
  ],
])('a coder that %s leaves the proposal that came back', async (_name, act, why) => {
  const workshop = await workshopOf();
  const one = await first(workshop);
  const made = await generate(workshop, agentThat(act), again(workshop, one), SIGNAL);
  expect(made).toMatchObject({ kind: 'stands', reason: expect.stringMatching(why) });
  expect((await refsOf(workshop)).get('refs/clade/counting/1')).toBe(one.commit);
});

test('what a process moved before it died is put back when the next one makes nothing', async () => {
  const workshop = await workshopOf();
  const one = await first(workshop);
  // Committed and held, and then killed: no row says so.
  candidate(await generate(workshop, writing({ 'value.txt': '8\n' }), again(workshop, one), SIGNAL));
  const made = await generate(
    workshop,
    agentThat(async () => [FINISHED]),
    again(workshop, one),
    SIGNAL,
  );
  expect(made.kind).toBe('stands');
  expect((await refsOf(workshop)).get('refs/clade/counting/1')).toBe(one.commit);
});

test.each([
  ['unreachable', 'infrastructure'],
  ['shut', 'configuration'],
] as const)('a provider that is %s in a later round does not end the job', async (kind, code) => {
  const workshop = await workshopOf();
  const one = await first(workshop);
  const idle = agentThat(async () => [FINISHED], { fault: { kind, message: 'p is gone' } });
  await expect(generate(workshop, idle, again(workshop, one), SIGNAL)).rejects.toMatchObject({ code });
});
