import { createHash } from 'node:crypto';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  PROPOSALS_FILE,
  RECORDING_FILE,
  RECORDING_FORMAT,
  type RecordedProposal,
  type RecordingHead,
} from '../../agent/index.ts';

/** What a recording says of itself before its proposals are known. */
export type RecordingOf = Pick<RecordingHead, 'campaign' | 'root_tree' | 'clade' | 'coders'>;

/** A proposal with the moment in which it was made. */
export interface Recorded {
  readonly proposal: RecordedProposal;
  /** ISO 8601, UTC. */
  readonly madeAt: string | null;
}

/** A recording that was written; sizes in bytes. */
export interface Written {
  readonly head: RecordingHead;
  readonly bytes: number;
}

/**
 * Writes a recording into a folder, one proposal after another. The two files get their names at the end: a recording that is there
 * already is replaced, and one whose writing was ended is found out by its hash.
 */
export async function writeRecording(
  folder: string,
  of: RecordingOf,
  proposals: AsyncIterable<Recorded>,
): Promise<Written> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, PROPOSALS_FILE);
  const hash = createHash('sha256');
  let [bytes, count] = [0, 0];
  let last: string | null = null;
  const file = await open(`${path}.new`, 'w');
  try {
    for await (const { proposal, madeAt } of proposals) {
      const line = Buffer.from(`${JSON.stringify(proposal)}\n`);
      await file.writeFile(line);
      hash.update(line);
      bytes += line.length;
      count += 1;
      if (madeAt !== null && (last === null || madeAt > last)) last = madeAt;
    }
  } finally {
    await file.close();
  }
  const head: RecordingHead = {
    format: RECORDING_FORMAT,
    campaign: of.campaign,
    root_tree: of.root_tree,
    clade: of.clade,
    recorded_at: last,
    coders: of.coders,
    proposals: count,
    sha256: hash.digest('hex'),
  };
  const text = `${JSON.stringify(head, null, 2)}\n`;
  await writeFile(join(folder, `${RECORDING_FILE}.new`), text);
  await rename(`${path}.new`, path);
  await rename(join(folder, `${RECORDING_FILE}.new`), join(folder, RECORDING_FILE));
  return { head, bytes: bytes + Buffer.byteLength(text) };
}
