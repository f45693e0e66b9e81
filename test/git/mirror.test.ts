import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InfrastructureError } from '../../src/errors.ts';
import {
  addWorktree,
  candidateRef,
  changesBetween,
  commitProposal,
  diffText,
  type Hub,
  importTarget,
  openHub,
  readCommit,
  resetWorktree,
} from '../../src/git/index.ts';
import { buildAwkward, git } from '../fixtures/awkward.ts';
import { commitOf, temporary } from './workshop.ts';

const FORMATS = ['sha1', 'sha256'] as const;

/** Two mirrors of one shared hub, with the root that the first imported; the source has a history that stays behind. */
async function machines(format: (typeof FORMATS)[number], url: (path: string) => string = (path) => path) {
  const dir = await temporary();
  const source = join(dir, 'source');
  await buildAwkward(source, { format });
  await writeFile(join(source, 'src', 'second'), 'second');
  await git(source, ['add', '-A']);
  await git(source, ['commit', '-q', '-m', 'second']);
  const remote = url(join(dir, 'shared', 'hub.git'));
  const leader = await openHub(join(dir, 'leader.git'), remote);
  const { commit: root } = await importTarget(leader, { campaign: 'test', repository: source, root: 'HEAD' });
  const elsewhere = await openHub(join(dir, 'elsewhere.git'), remote);
  return { dir, leader, elsewhere, root };
}

async function proposeIn(hub: Hub, worktree: string, base: string, text: string): Promise<string> {
  await writeFile(join(worktree, 'src', 'made'), text);
  const request = { worktree, base, scope: { edit: ['src/**'], protect: [] }, message: text, campaign: 'test' };
  return commitOf(await commitProposal(hub, { ...request, ordinal: 1, date: new Date(0) }));
}

describe.each(FORMATS)('a hub that machines share (%s)', (format) => {
  it('gives each what the others made, when it is asked for', async () => {
    const { dir, leader, elsewhere, root } = await machines(format, (path) => `file://${path}`);
    const worktree = join(dir, 'work');
    await addWorktree(elsewhere, worktree, root);
    const made = await proposeIn(elsewhere, worktree, root, 'made elsewhere\n');
    expect((await readCommit(leader, made)).parents).toEqual([root]);
    expect((await changesBetween(leader, root, made)).map(({ path }) => path)).toEqual(['src/made']);
    expect((await diffText(leader, root, made, { maxBytes: 1000 })).text).toContain('+made elsewhere');
    // A child of it, made where only the parent was never seen.
    const third = await openHub(join(dir, 'third.git'), leader.remote);
    await addWorktree(third, join(dir, 'third'), made);
    const child = await proposeIn(third, join(dir, 'third'), made, 'and again\n');
    await resetWorktree(elsewhere, worktree, child);
    expect(await git(worktree, ['status', '--porcelain'])).toBe('');
    // What was tried before under the same number is written over.
    expect((await git(join(dir, 'shared', 'hub.git'), ['rev-parse', candidateRef('test', 1)])).trim()).toBe(child);
  });
});

describe('a shared hub that is gone', () => {
  it('is a fault of the machine that names it', async () => {
    const { dir, elsewhere, root } = await machines('sha1');
    await rm(join(dir, 'shared'), { recursive: true });
    const added = addWorktree(elsewhere, join(dir, 'work'), root);
    await expect(added).rejects.toThrow(InfrastructureError);
    await expect(added).rejects.toThrow(join(dir, 'shared'));
  });
});
