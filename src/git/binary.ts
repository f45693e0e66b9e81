import { isUtf8 } from 'node:buffer';
import { readBlobs } from './blob.ts';
import { type Change, changesBetween } from './change.ts';
import type { Hub } from './hub.ts';

const ABSENT = /^0+$/;
const LINK_OR_SUBMODULE = new Set(['120000', '160000']);

/**
 * The paths along a line of commits whose text a mail would not carry unchanged: `git am` drops the CR of CRLF, mail
 * programs recode what is not UTF-8, and Git looks for NUL in the first 8000 bytes only.
 * @param commits the root and what follows it, oldest first.
 */
export async function fragilePaths(hub: Hub, commits: readonly string[]): Promise<Set<string>> {
  const steps = commits.slice(1).map((commit, index) => ({ before: commits[index] ?? commit, commit }));
  const changes: Change[] = [];
  for (const { before, commit } of steps) changes.push(...(await changesBetween(hub, before, commit)));
  const blobs = new Set(changes.flatMap(blobsOf));
  const fragile = new Set<string>();
  for await (const { oid, bytes } of readBlobs(hub, blobs)) {
    if (bytes.includes(13) || bytes.includes(0) || !isUtf8(bytes)) fragile.add(oid);
  }
  const touched = changes.filter((change) => blobsOf(change).some((blob) => fragile.has(blob)));
  return new Set(touched.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path])));
}

function blobsOf(change: Change): string[] {
  const sides = [
    { blob: change.oldBlob, mode: change.oldMode },
    { blob: change.newBlob, mode: change.newMode },
  ];
  return sides.filter(({ blob, mode }) => !ABSENT.test(blob) && !LINK_OR_SUBMODULE.has(mode)).map(({ blob }) => blob);
}
