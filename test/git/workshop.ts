import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  addWorktree,
  commitProposal,
  type Hub,
  importTarget,
  openHub,
  type ProposalRequest,
  type Proposed,
} from '../../src/git/index.ts';
import { buildAwkward } from '../fixtures/awkward.ts';

export async function temporary(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'clade-git-test-'));
  onTestFinished(async () => await rm(dir, { recursive: true, force: true }));
  return dir;
}

export interface Workshop {
  readonly dir: string;
  readonly source: string;
  readonly hub: Hub;
  readonly root: string;
  /** Adds a worktree of a commit (default: the root) and gives its folder. */
  checkout(name: string, commit?: string): Promise<string>;
  propose(worktree: string, more?: Partial<ProposalRequest>): Promise<Proposed>;
}

/** An awkward repository, imported into a hub. */
export async function workshop(format: 'sha1' | 'sha256' = 'sha1'): Promise<Workshop> {
  const dir = await temporary();
  const source = join(dir, 'source');
  await buildAwkward(source, { format });
  const hub = await openHub(join(dir, 'hub'));
  const { commit: root } = await importTarget(hub, { campaign: 'test', repository: source, root: 'HEAD' });
  return {
    dir,
    source,
    hub,
    root,
    async checkout(name, commit = root) {
      const worktree = join(dir, 'work', name);
      await addWorktree(hub, worktree, commit);
      return worktree;
    },
    async propose(worktree, more = {}) {
      return await commitProposal(hub, {
        worktree,
        base: root,
        scope: { edit: ['src/**'], protect: ['src/protected/**'] },
        message: 'Try something',
        campaign: 'test',
        ordinal: 1,
        date: new Date('2026-01-02T03:04:05.678Z'),
        ...more,
      });
    },
  };
}

/** The commit of a proposal that must have made one. */
export function commitOf(proposed: Proposed): string {
  if (proposed.kind !== 'commit') throw new Error(`expected a commit, got ${proposed.kind}`);
  return proposed.commit;
}
