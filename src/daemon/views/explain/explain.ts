import type { Kysely } from 'kysely';
import type { Campaign } from '../../../config/index.ts';
import {
  type CampaignRow,
  getJob,
  type JobRow,
  type Json,
  plannedWith,
  type Tables,
  triesOf,
} from '../../../store/index.ts';
import { type BaseExplanation, explainBase } from './base.ts';
import { type CoderExplanation, explainCoder } from './coder.ts';
import { readDecision } from './decision.ts';
import { lookBack } from './hindsight.ts';
import { explainInspirations, type InspirationsExplanation } from './inspirations.ts';
import { explainKnowledge, type KnowledgeExplanation } from './knowledge.ts';
import { type Replay, replayJob } from './replay.ts';
import { explainVerdict, type VerdictExplanation } from './verdict.ts';

/** Why this base, why these inspirations, why this verdict; plain JSON. */
export interface Explanation {
  readonly campaign: string;
  readonly ordinal: number;
  readonly island: number;
  readonly state: JobRow['state'];
  readonly commit: string | null;
  readonly title: string | null;
  readonly base: BaseExplanation;
  readonly inspirations: InspirationsExplanation;
  readonly knowledge: KnowledgeExplanation;
  readonly coder: CoderExplanation;
  readonly verdict: VerdictExplanation;
  readonly replay: Replay;
  /** As the policy left it. */
  readonly decision: Json | null;
}

/** @throws NotFoundError when the campaign has no such job. */
export async function readExplanation(
  db: Kysely<Tables>,
  row: CampaignRow,
  campaign: Campaign,
  ordinal: number,
): Promise<Explanation> {
  const ledger = { store: { db }, campaignId: row.id, campaign };
  const detail = await getJob(db, row.id, ordinal);
  const { job, candidate } = detail;
  const decision = readDecision(job.decision);
  const hindsight = await lookBack(ledger, job);
  const { of: triedBefore } = await triesOf(db, row.id, ordinal);
  const then = hindsight?.islands[job.island]?.population ?? null;
  return {
    campaign: row.name,
    ordinal,
    island: job.island,
    state: job.state,
    commit: candidate?.commit ?? null,
    title: job.title,
    base: explainBase(job, decision, then, { primary: campaign.evaluator.objectives[0], triedBefore }),
    inspirations: explainInspirations(job, decision, then, triedBefore),
    knowledge: explainKnowledge(job, decision),
    coder: explainCoder(await plannedWith(db, row.id, ordinal)),
    verdict: await explainVerdict(ledger, detail),
    replay: replayJob(campaign, job, hindsight, triedBefore),
    decision: job.decision,
  };
}
