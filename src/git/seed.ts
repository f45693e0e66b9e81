import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, ConflictError, GitError } from '../errors.ts';
import { commitTree } from './candidate.ts';
import type { Change } from './change.ts';
import { readCommit } from './commit.ts';
import type { Hub } from './hub.ts';
import { bring } from './import.ts';
import { deleteRef, updateRef } from './ref.ts';
import { act, line } from './run.ts';
import { editable, type Scope } from './scope.ts';
import { sourceOf } from './source.ts';

/** What a user brings: a revision of the target, or a patch that applies to the root. */
export type SeedFile =
  | { readonly kind: 'commit'; readonly revision: string }
  | { readonly kind: 'patch'; readonly name: string; readonly bytes: Uint8Array };

export interface SeedRequest {
  readonly campaign: string;
  /** The target as the campaign names it. */
  readonly repository: string;
  /** Commit id. */
  readonly root: string;
  readonly scope: Scope;
  readonly file: SeedFile;
}

/** A seed as a candidate on the root. */
export interface Seed {
  readonly commit: string;
  readonly tree: string;
  /** The id of the user's commit, or the name of the patch file. */
  readonly source: string;
  readonly title: string;
  readonly changes: readonly Change[];
}

interface Found {
  readonly tree: string;
  readonly source: string;
  readonly message: string;
}

/**
 * Makes the difference between the root and a user's commit or patch one commit on the root, held by
 * `refs/clade/<campaign>/seeds/<tree>`. History between the two is left out. The same seed gives the same commit.
 * @throws ScopeError naming the paths that may not be changed; ConflictError when a patch does not apply or nothing differs;
 * ConfigurationError when there is no such revision.
 */
export async function importSeed(hub: Hub, request: SeedRequest): Promise<Seed> {
  const { campaign, root, scope, file } = request;
  const found = file.kind === 'commit' ? await readRevision(hub, request, file.revision) : await apply(hub, root, file);
  const { tree, source } = found;
  const message = `${found.message.trim()}\n\nClade-Campaign: ${campaign}\nClade-Seed: ${source}\n`;
  const date = new Date((await readCommit(hub, root)).authorSeconds * 1000);
  const made = await commitTree(hub, { base: root, tree, mayEdit: editable(scope), message, date });
  if (made.kind === 'no_change') throw new ConflictError(`${source} changes nothing: its files are those of the root`);
  await updateRef(hub, `refs/clade/${campaign}/seeds/${tree}`, made.commit);
  const { commit, changes } = made;
  const [title = ''] = (await readCommit(hub, commit)).message.split('\n');
  return { commit, tree, source, title, changes };
}

/** Fetched under a ref of its own, so that two at a time do not read each other's. */
async function readRevision(hub: Hub, { campaign, repository }: SeedRequest, revision: string): Promise<Found> {
  const target = sourceOf(repository);
  if (target.kind === 'folder') {
    throw new ConfigurationError(`${repository} is a plain folder, it has no commit ${revision}`, {
      hint: 'give a patch file',
    });
  }
  const arriving = `refs/clade/${campaign}/arriving/${randomUUID()}`;
  try {
    const source = await bring(hub, target, revision, arriving);
    const { tree, message } = await readCommit(hub, source);
    return { tree, source, message };
  } finally {
    await deleteRef(hub, arriving);
  }
}

/** Applied to an index, so that no file is written. All commits of one mailbox become one difference. */
async function apply(hub: Hub, root: string, file: Extract<SeedFile, { kind: 'patch' }>): Promise<Found> {
  const scratch = await mkdtemp(join(tmpdir(), 'clade-seed-'));
  try {
    const site = { gitDir: hub.dir, index: join(scratch, 'index') };
    await act(site, ['read-tree', root]);
    await act(site, ['apply', '--cached', '--whitespace=nowarn', '-'], { stdin: file.bytes });
    const tree = await line(site, ['write-tree']);
    return { tree, source: file.name, message: subjectOf(file.bytes) ?? file.name };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const reason = error.stderr
      .trim()
      .replaceAll(/^error: /gm, '')
      .replaceAll('\n', '; ');
    throw new ConflictError(`${file.name} does not apply to the root: ${reason}`, { cause: error });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The title of a mailed patch; undefined of a bare one, and of one that is not in plain ASCII. */
function subjectOf(bytes: Uint8Array): string | undefined {
  const [head = ''] = Buffer.from(bytes).toString('latin1').split('\n\n', 1);
  const subject = /^Subject: (?:\[[^\]\n]*\] *)?(.+(?:\n[ \t].+)*)/m.exec(head)?.[1]?.replaceAll(/\s+/g, ' ');
  return subject?.startsWith('=?') ? undefined : subject;
}
