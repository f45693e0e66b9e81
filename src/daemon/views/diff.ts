import type { Kysely } from 'kysely';
import { NotFoundError } from '../../errors.ts';
import { diffText } from '../../git/index.ts';
import { campaignFolders, hubOf } from '../../pipeline/index.ts';
import { type CampaignRow, findCandidate, type Tables } from '../../store/index.ts';

const MAX_BYTES = 256 * 1024;

/** What a job changed; plain JSON. */
export interface DiffView {
  /** The commits between which it is: that of the base, and the candidate's. */
  readonly from: string;
  readonly to: string;
  /** Unified diff, at most 256 KiB. */
  readonly text: string;
  /** Whether more was cut off, at a line end. */
  readonly truncated: boolean;
}

/** Reads the change of a job from the campaign's hub. @throws NotFoundError when it made no commit, or is the root. */
export async function readDiff(
  db: Kysely<Tables>,
  workspace: string,
  row: CampaignRow,
  ordinal: number,
): Promise<DiffView> {
  const candidate = await findCandidate(db, row.id, ordinal);
  const from = candidate?.parentCommit ?? null;
  if (candidate === undefined || from === null) {
    throw new NotFoundError(`job ${ordinal} of "${row.name}" has no change to a base`);
  }
  // Not opened, which would make one where it was taken away: reading changes nothing.
  const hub = hubOf(campaignFolders(workspace, row.name));
  const to = candidate.commit;
  return { from, to, ...(await diffText(hub, from, to, { maxBytes: MAX_BYTES })) };
}
