import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommit } from './commit.ts';
import { identity } from './environment.ts';
import type { Hub } from './hub.ts';
import { bring } from './import.ts';
import { encodePath, unquote } from './path.ts';
import { updateRef } from './ref.ts';
import { registrationOf, siteOf } from './registration.ts';
import { act, ask } from './run.ts';
import { sourceOf } from './source.ts';
import { addWorktree, removeWorktree } from './worktree.ts';

export interface Conflict {
  readonly path: string;
  /** The file with conflict markers, at most 64 KiB; empty where one side has no file. */
  readonly text: string;
}

export type Carried =
  | { readonly kind: 'carried'; readonly onto: string; readonly commit: string; readonly tree: string }
  | { readonly kind: 'conflict'; readonly onto: string; readonly conflicts: readonly Conflict[] };

const TEXT_BYTES = 65_536;

/**
 * Three-way carries the commits root..winner onto another revision of the target, which is fetched from `repository`.
 * The result is held by `refs/clade/<campaign>/carried/<onto>/<winner>`; prove it like any other, with `onto` as root.
 */
export async function carryOnto(
  hub: Hub,
  request: { campaign: string; repository: string; root: string; winner: string; onto: string },
): Promise<Carried> {
  const { campaign, root, winner } = request;
  const waiting = `refs/clade/${campaign}/onto`;
  const onto = await bring(hub, sourceOf(request.repository), request.onto, waiting);
  const scratch = await mkdtemp(join(tmpdir(), 'clade-carry-'));
  const dir = join(scratch, 'tree');
  try {
    await addWorktree(hub, dir, onto);
    const registration = registrationOf(hub, dir);
    const { authorSeconds } = await readCommit(hub, winner);
    const site = { ...siteOf(registration), env: identity(new Date(authorSeconds * 1000)) };
    const range = root === winner ? [] : [`${root}..${winner}`];
    const argv = ['cherry-pick', '--allow-empty', '--keep-redundant-commits', ...range];
    const { code } = range.length === 0 ? { code: 0 } : await act(site, argv, { accept: [0, 1] });
    if (code !== 0) return { kind: 'conflict', onto, conflicts: await conflictsAt(site, dir) };
    const [commit = '', tree = ''] = (await ask(site, ['rev-parse', 'HEAD', 'HEAD^{tree}'])).trim().split('\n');
    await updateRef(hub, `refs/clade/${campaign}/carried/${onto}/${winner}`, commit);
    return { kind: 'carried', onto, commit, tree };
  } finally {
    await removeWorktree(hub, dir);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Reads the unmerged entries, `<mode> <id> <stage>\t<path>`, and the files that Git left for them. */
async function conflictsAt(site: { gitDir: string }, dir: string): Promise<Conflict[]> {
  const { stdout } = await act(site, ['ls-files', '--unmerged']);
  const paths = new Set(Array.from(stdout.toString().matchAll(/\t(.*)$/gm), (line) => unquote(line[1] ?? '')));
  return await Promise.all([...paths].map(async (path) => ({ path, text: await conflictText(dir, path) })));
}

async function conflictText(dir: string, path: string): Promise<string> {
  try {
    const bytes = await readFile(Buffer.concat([Buffer.from(`${dir}/`), encodePath(path)]));
    return bytes.subarray(0, TEXT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return '';
    throw error;
  }
}
