import type { Kysely } from 'kysely';
import { type Campaign, restoreCampaign } from '../config/index.ts';
import { ConflictError, NotFoundError } from '../errors.ts';
import {
  type CampaignRow,
  type CampaignState,
  findCampaign,
  getArtifact,
  getCampaign,
  getJob,
  listCampaigns,
  reclaimSpace,
  type Tables,
} from '../store/index.ts';
import type { CladeApi } from './api.ts';
import { cancel } from './cancel.ts';
import { tidy } from './keep/index.ts';
import { readJobLog } from './log/index.ts';
import { enterMinimised, settleAside } from './minimised.ts';
import { folderOf, rehearse } from './notify/index.ts';
import { retry } from './retry.ts';
import { seedCampaign } from './seed.ts';
import { moveCampaign } from './state.ts';
import { readArchive } from './views/archive.ts';
import { readBrief } from './views/brief.ts';
import { findByCommit, readCandidate } from './views/candidate.ts';
import { readDiff } from './views/diff.ts';
import { readEvents } from './views/events.ts';
import { readExplanation } from './views/explain/index.ts';
import { readJobs } from './views/jobs.ts';
import { readMaterials } from './views/materials.ts';
import { readProposals } from './views/proposals.ts';
import { type ReadStatus, statusReader } from './views/resting.ts';
import { readSeries } from './views/series.ts';
import { readPatchSource } from './views/source.ts';
import type { CampaignStatus } from './views/status.ts';
import { readWorkers } from './views/workers.ts';

export const PAUSED_BY_USER = 'paused by the user';
export const STOPPED_BY_USER = 'stopped by the user';

/** @throws NotFoundError, naming the campaigns that there are. */
export async function requireCampaign(db: Kysely<Tables>, name: string): Promise<CampaignRow> {
  const row = await findCampaign(db, name);
  if (row !== undefined) return row;
  const names = (await listCampaigns(db)).map((campaign) => campaign.name);
  throw new NotFoundError(`there is no campaign "${name}" in this workspace`, {
    hint: names.length === 0 ? 'clade run CAMPAIGN starts one' : `there are: ${names.join(', ')}`,
  });
}

/** The answers that the database alone can give (seeds and minimised candidates need the workspace's hubs); nothing is running as far as it knows. */
export function databaseApi(db: Kysely<Tables>, workspace: string): CladeApi {
  const named = async <T>(name: string, read: (row: CampaignRow, campaign: Campaign) => Promise<T>): Promise<T> => {
    const row = await requireCampaign(db, name);
    return read(row, restoreCampaign(row));
  };
  const readStatus = statusReader(db);
  return {
    async campaigns() {
      const rows = await listCampaigns(db);
      return Promise.all(rows.map((row) => readStatus(row, restoreCampaign(row))));
    },
    workers: () => readWorkers(db),
    status: (name) => named(name, (row, campaign) => readStatus(row, campaign)),
    jobs: (name, query) => named(name, (row) => readJobs(db, row, query)),
    job: (name, ordinal) => named(name, (row) => readCandidate(db, row, ordinal)),
    async candidate(commit) {
      const { campaign, ordinal } = await findByCommit(db, commit);
      return readCandidate(db, campaign, ordinal);
    },
    explain: (name, ordinal) => named(name, (row, campaign) => readExplanation(db, row, campaign, ordinal)),
    brief: (name, ordinal) => named(name, (row, campaign) => readBrief(db, workspace, row, campaign, ordinal)),
    jobLog: (name, ordinal) =>
      named(name, async (row) => {
        await getJob(db, row.id, ordinal);
        return readJobLog(workspace, name, ordinal);
      }),
    diff: (name, ordinal) => named(name, (row) => readDiff(db, workspace, row, ordinal)),
    series: (name, query) => named(name, (row, campaign) => readSeries(db, row, campaign, query)),
    archive: (name) => named(name, (row, campaign) => readArchive(db, row, campaign)),
    events: (name, query) => named(name, (row) => readEvents(db, row, query)),
    async artifact(id) {
      const { name, mediaType, content } = await getArtifact(db, id);
      return { name, mediaType, content };
    },
    patchSource: (name, choice) => named(name, (row, campaign) => readPatchSource(db, row, campaign, choice)),
    materials: (name, query) => named(name, (row) => readMaterials(db, row, query)),
    proposals: (name, query) => named(name, (row) => readProposals(db, row, query)),
    enterMinimised: (name, source) =>
      named(name, async (row, campaign) => {
        const known = { db, workspace, row, campaign };
        const { signal } = new AbortController();
        const view = await enterMinimised(known, source, signal);
        await settleAside(known, view.job, signal);
        return view;
      }),
    seed: (name, source) => named(name, (row, campaign) => seedCampaign(db, workspace, row, campaign, source)),
    pause: (name) => change(db, readStatus, name, 'paused', PAUSED_BY_USER),
    resume: (name) => change(db, readStatus, name, 'running', null),
    cancel: (name, ordinal) => named(name, (row) => cancel(db, row, ordinal)),
    retry: (name, ordinal) => named(name, (row) => retry(db, row, ordinal)),
    rehearse: (name) => named(name, (_row, campaign) => rehearse(campaign, folderOf(workspace, campaign))),
    tidy: (name, dryRun) =>
      named(name, async (row, campaign) => {
        const view = await tidy({ db, workspace }, row, campaign, dryRun);
        if (!dryRun) await reclaimSpace(db);
        return view;
      }),
    stop: (name) => change(db, readStatus, name, 'stopped', STOPPED_BY_USER),
  };
}

/** @throws ConflictError when the campaign is over: pausing or resuming it means nothing. */
async function change(
  db: Kysely<Tables>,
  readStatus: ReadStatus,
  name: string,
  state: CampaignState,
  cause: string | null,
): Promise<CampaignStatus> {
  const row = await requireCampaign(db, name);
  if (row.state === 'finished' && state !== 'running') {
    throw new ConflictError(`"${name}" is finished (${row.cause ?? 'no cause kept'})`, {
      hint: 'raise budget.jobs in its campaign.yaml and run it again to go on',
    });
  }
  await moveCampaign(db, row.id, state, cause);
  return readStatus(await getCampaign(db, row.id), restoreCampaign(row));
}
