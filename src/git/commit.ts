import type { Hub } from './hub.ts';
import { havePresent } from './mirror.ts';
import { readContent } from './object.ts';
import { act } from './run.ts';

export interface CommitRecord {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** Seconds since the epoch. */
  readonly authorSeconds: number;
  readonly message: string;
}

/** Reads one commit. `oid` is a full id. */
export async function readCommit(hub: Hub, oid: string): Promise<CommitRecord> {
  await havePresent(hub, [oid]);
  return parseCommit(oid, await readContent(hub, 'commit', oid));
}

/** Reads header lines such as `tree <id>`, an empty line, the message. */
export function parseCommit(oid: string, bytes: Buffer): CommitRecord {
  const text = bytes.toString();
  const split = text.indexOf('\n\n');
  const header = text.slice(0, split);
  const author = /^author (.*) (\d+) [+-]\d{4}$/m.exec(header);
  return {
    oid,
    tree: /^tree (\S+)$/m.exec(header)?.[1] ?? '',
    parents: Array.from(header.matchAll(/^parent (\S+)$/gm), (line) => line[1] ?? ''),
    author: author?.[1] ?? '',
    authorSeconds: Number(author?.[2] ?? 0),
    message: text.slice(split + 2),
  };
}

/** The commits after `root` up to and with `commit`, oldest first; empty when they are the same. */
export async function lineage(hub: Hub, root: string, commit: string): Promise<string[]> {
  await havePresent(hub, [root, commit]);
  const { stdout } = await act({ gitDir: hub.dir }, ['rev-list', '--reverse', '--topo-order', `${root}..${commit}`]);
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

const OPENS_SOMETHING_ELSE = /^(?=---|diff |Index: |From[ :]|Subject:|Date:|-+ *>8|-+ *8<)/gm;

/**
 * Makes the text of an agent a commit message that survives being mailed: a line that `git am` would take for the start
 * of a patch or for a header is moved in by one blank.
 */
export function commitMessage(text: string): string {
  const clean = text
    .toWellFormed()
    .replaceAll('\0', '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
  const [title = '', ...rest] = clean.split('\n');
  const body = rest.join('\n').trim().replaceAll(OPENS_SOMETHING_ELSE, ' ');
  return `${title === '' ? 'Untitled' : title}${body === '' ? '' : `\n\n${body}`}\n`;
}
