import type { Kysely } from 'kysely';
import { composeBrief, renderBrief } from '../../agent/index.ts';
import type { Campaign } from '../../config/index.ts';
import { assemble, campaignFolders } from '../../pipeline/index.ts';
import { type CampaignRow, getJob, type JobRow, type Tables } from '../../store/index.ts';
import { resume } from '../rework/index.ts';

/** What a job's coder is told; plain JSON. `round` counts how often its proposal came back. */
export type BriefView =
  | {
      readonly ordinal: number;
      readonly round: number;
      /** Whether it is what the coder was given; else it is what it would be given now, without a plan that is not there yet. */
      readonly stored: boolean;
      readonly text: string;
    }
  | {
      readonly ordinal: number;
      readonly round: number;
      readonly stored: false;
      readonly text: null;
      /** Why there is none. */
      readonly because: string;
    };

/** The brief of a job: the one that is kept with it, or of one whose turn is to come what it is told. @throws NotFoundError */
export async function readBrief(
  db: Kysely<Tables>,
  workspace: string,
  row: CampaignRow,
  campaign: Campaign,
  ordinal: number,
): Promise<BriefView> {
  const { job } = await getJob(db, row.id, ordinal);
  const { round } = job;
  if (job.state === 'queued' || job.state === 'generating') {
    return { ordinal, round, stored: false, text: await composeNow(db, workspace, campaign, job) };
  }
  if (job.brief !== null) return { ordinal, round, stored: true, text: job.brief };
  const because =
    job.tidiedAt === null
      ? WHY[job.kind]
      : `it was removed at ${job.tidiedAt.toISOString()}: the campaign does not keep it`;
  return { ordinal, round, stored: false, text: null, because };
}

const WHY: Readonly<Record<JobRow['kind'], string>> = {
  root: 'it is the root, which nobody was asked for',
  seed: 'it is a commit of the user, which nobody was asked for',
  minimised: 'it is what was left of another candidate, which nobody was asked for',
  generate: 'it ended before its agent was told anything',
};

async function composeNow(db: Kysely<Tables>, workspace: string, campaign: Campaign, job: JobRow): Promise<string> {
  // Not opened, which would make one where it was taken away: reading changes nothing.
  const workshop = { campaign, hub: { dir: campaignFolders(workspace, campaign.name).hub, remote: null } };
  const { brief, planned } = await resume({ store: { db }, workshop }, job, await assemble(db, workshop, job));
  return renderBrief(composeBrief({ ...brief, plan: planned?.plan ?? '' }, campaign.agents.brief));
}
