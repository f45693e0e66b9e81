import { statfs } from 'node:fs/promises';
import { workspaceFolders } from '../pipeline/index.ts';
import { getCampaign } from '../store/index.ts';
import { leading } from './leading.ts';
import type { Session } from './session.ts';
import { moveCampaignIn } from './state.ts';

const FLOOR_BYTES = 2 ** 30;
const FLOOR_FILES = 10_000;
/** Of a small disk this part is kept free. */
const SMALL_PART = 16;

/**
 * What the disk of a folder lacks for new work to begin, null when it has room. Kept free are 1 GiB and 10,000 files, of a small disk a
 * sixteenth; `CLADE_DISK_FLOOR_MIB` sets the first.
 */
export async function diskShortage(folder: string): Promise<string | null> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
  const given = Number(process.env.CLADE_DISK_FLOOR_MIB ?? Number.NaN);
  const floor = given >= 0 ? given * 2 ** 20 : Math.min(FLOOR_BYTES, (blocks * bsize) / SMALL_PART);
  if (bavail * bsize < floor) {
    return `the disk of ${folder} has less than ${Math.ceil(floor / 2 ** 20)} MiB left; it goes on when there is room (clade tidy may make some)`;
  }
  // Some file systems make inodes as they need them, and say 0.
  const fewest = Math.min(FLOOR_FILES, files / SMALL_PART);
  if (files > 0 && ffree < fewest) {
    return `the disk of ${folder} has room for less than ${Math.ceil(fewest)} files; it goes on when there is room`;
  }
  return null;
}

/** Whether there is room for work: `again` is said once, when there was none before. */
export type RoomNow = 'none' | 'again' | 'enough';

/**
 * Looks whether the disk leaves no room for new work: then the campaign is paused, and it goes on when the room is there again. To be asked
 * at every look of the loop.
 */
export function watchRoom(session: Session, onWarning: (warning: string) => void): () => Promise<RoomNow> {
  const { store, campaignId, workshop } = session;
  /** What it is paused by. */
  let shortage: string | null = null;
  return async () => {
    const found = await diskShortage(workspaceFolders(workshop.workspace).state);
    if (found !== null && shortage === null) {
      shortage = found;
      onWarning(found);
      await leading(session, (trx) => moveCampaignIn(trx, campaignId, 'paused', found));
    }
    if (found !== null) return 'none';
    if (shortage === null) return 'enough';
    const { state, cause } = await getCampaign(store.db, campaignId);
    // What a person decided meanwhile holds.
    if (state === 'paused' && cause === shortage) {
      await leading(session, (trx) => moveCampaignIn(trx, campaignId, 'running', null));
    }
    shortage = null;
    return 'again';
  };
}
