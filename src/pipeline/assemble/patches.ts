import type { FilePatch, InspirationPatch } from '../../agent/index.ts';
import { changesBetween, type Hub, readBlobs } from '../../git/index.ts';
import type { Line } from './line.ts';

/** Files of one inspiration that are given as text, and the size up to which one is. */
const PATCH_FILES = 32;
const PATCH_BYTES = 512 * 1024;

/**
 * What an inspiration changed since it and the base had a common ancestor, file by file, within the edit scope.
 * @param line from that ancestor to the inspiration, both with it
 */
export async function patchOf(hub: Hub, line: Line, mayEdit: (path: string) => boolean): Promise<InspirationPatch> {
  const [shared, self] = [line[0], line.at(-1)];
  if (shared === undefined || self === undefined) return { ordinal: self?.ordinal ?? 0, files: [] };
  if (shared.commit === self.commit) return { ordinal: self.ordinal, files: [] };
  const changes = (await changesBetween(hub, shared.commit, self.commit))
    .filter((change) => mayEdit(change.path) && (change.added ?? 0) + (change.deleted ?? 0) > 0)
    .slice(0, PATCH_FILES);
  const texts = await textsOf(
    hub,
    changes.flatMap((change) => [change.oldBlob, change.newBlob]),
  );
  const files = changes.map(
    (change): FilePatch => ({
      path: change.path,
      before: texts.get(change.oldBlob) ?? null,
      after: texts.get(change.newBlob) ?? null,
    }),
  );
  return { ordinal: self.ordinal, files };
}

async function textsOf(hub: Hub, oids: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const present = [...new Set(oids)].filter((oid) => !/^0+$/.test(oid));
  if (present.length === 0) return texts;
  for await (const { oid, bytes } of readBlobs(hub, present)) {
    if (bytes.byteLength <= PATCH_BYTES) texts.set(oid, bytes.toString('utf8'));
  }
  return texts;
}
