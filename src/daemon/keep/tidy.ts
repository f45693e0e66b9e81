import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import { openHub, reconcileWorktrees } from '../../git/index.ts';
import { campaignFolders } from '../../pipeline/index.ts';
import { removeFolder } from '../../process/index.ts';
import {
  appendEvents,
  type Bulk,
  type CampaignRow,
  dropArtifacts,
  dropTranscripts,
  forgetRecordings,
  isUnled,
  isWorkedOn,
  oldArtifacts,
  olderThan,
  oldRecordings,
  oldTranscripts,
  type Spared,
  type Tables,
} from '../../store/index.ts';
import { type Files, filesOf, removeFiles } from './files.ts';
import { sparedOf } from './spared.ts';

/** What went, or would go; plain JSON. */
export interface TidyView {
  readonly campaign: string;
  readonly dryRun: boolean;
  readonly artifacts: Bulk;
  readonly transcripts: Bulk;
  /** In the folders of this machine. */
  readonly recordings: Bulk;
  readonly logs: Bulk;
  /** Checkouts of a campaign that is over: they are made again when they are needed. */
  readonly folders: readonly string[];
}

/** Where a campaign is tidied. */
export interface Place {
  readonly db: Kysely<Tables>;
  readonly workspace: string;
  /** Default: any transaction; a leader has its own. */
  readonly transact?: (work: (trx: Transaction<Tables>) => Promise<void>) => Promise<void>;
}

const NOTHING: Bulk = { items: 0, bytes: 0 };

/**
 * Removes what `keep` of the campaign does not want kept, and the checkouts of a campaign that is over. The records of jobs, their commits
 * and all of what is retained, best or was in the finals stay.
 */
export async function tidy(
  { db, workspace, transact = (work) => db.transaction().execute(work) }: Place,
  row: CampaignRow,
  campaign: Campaign,
  dryRun: boolean,
): Promise<TidyView> {
  const { keep } = campaign;
  const spared = await sparedOf(db, row, campaign);
  const which = async (count: number | null): Promise<Spared | null> =>
    count === null ? null : { campaignId: row.id, upTo: await olderThan(db, row.id, count), spared };
  const [artifacts, transcripts] = [await which(keep.artifacts), await which(keep.transcripts)];
  const [recordings, logs] = [await which(keep.recordings), await which(keep.logs)];
  const folders = campaignFolders(workspace, campaign.name);
  const old = new Set(recordings === null ? [] : await oldRecordings(db, recordings));
  const files = {
    recordings: await filesOf(folders.calls, (name) => old.has(name)),
    logs: await filesOf(folders.logs, (name) => logs !== null && isOld(Number(name.replace(/\.ndjson$/, '')), logs)),
  };
  const view: TidyView = {
    campaign: campaign.name,
    dryRun,
    artifacts: artifacts === null ? NOTHING : await oldArtifacts(db, artifacts),
    transcripts: transcripts === null ? NOTHING : await oldTranscripts(db, transcripts),
    recordings: amount(files.recordings),
    logs: amount(files.logs),
    folders: (await isOver(db, row)) ? await spentLanes(folders.lanes) : [],
  };
  if (dryRun) return view;
  for (const folder of view.folders) await removeFolder(folder);
  if (view.folders.length > 0 && existsSync(folders.hub)) await reconcileWorktrees(await openHub(folders.hub));
  await transact(async (trx) => {
    if (artifacts !== null) await dropArtifacts(trx, artifacts);
    if (transcripts !== null) await dropTranscripts(trx, transcripts);
    await forgetRecordings(trx, row.id, files.recordings.names);
    const { campaign: _, dryRun: _dry, folders: removed, ...went } = view;
    const all = Object.values(went).reduce((sum, { items }) => sum + items, 0);
    if (all + removed.length > 0) {
      await appendEvents(trx, [
        { campaignId: row.id, kind: 'campaign.tidied', data: { ...went, folders: removed.length } },
      ]);
    }
  });
  // The rows first: what a kill leaves of files is removed the next time.
  await Promise.all(Object.values(files).map(removeFiles));
  return view;
}

function isOld(ordinal: number, { upTo, spared }: Spared): boolean {
  return Number.isSafeInteger(ordinal) && ordinal <= upTo && !spared.includes(ordinal);
}

/** A lane of jobs; those of commands that measure by themselves have other names. */
const LANE = /^(generate|evaluate)-\d+$/;

/** The lanes of a folder, but for those that a coder was cut off in: they stay until the next start has made a patch of what it changed. */
async function spentLanes(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names.filter((name) => LANE.test(name) && !names.includes(`${name}.job`)).map((name) => join(folder, name));
}

/** Nobody works on it, and nobody will unless he is asked to. A campaign that was stopped may still finish what is in flight. */
async function isOver(db: Kysely<Tables>, { id, state }: CampaignRow): Promise<boolean> {
  if (state !== 'finished' && state !== 'stopped') return false;
  return db.transaction().execute(async (trx) => (await isUnled(trx, id)) && !(await isWorkedOn(trx, id)));
}

const amount = ({ items, bytes }: Files): Bulk => ({ items, bytes });
