import { type Kysely, sql, type Transaction } from 'kysely';
import { storable } from './json.ts';
import type { RevisionRow, Tables } from './tables.ts';

/** A job whose proposal is to go back to its coder. `round` fences: it is raised by going back. */
export interface Returning {
  readonly campaignId: number;
  readonly ordinal: number;
  readonly round: number;
}

/** Why it goes back. */
export type Return = Pick<RevisionRow, 'cause' | 'reason' | 'evidence'>;

/**
 * `generated` → `queued` for the next round: the proposal becomes a revision, and its candidate stays the job's until there is another.
 * False, and nothing written, when the job is not there to go back, in that round.
 */
export async function sendBack(trx: Transaction<Tables>, job: Returning, why: Return): Promise<boolean> {
  const { campaignId, ordinal, round } = job;
  const { numUpdatedRows } = await trx
    .updateTable('jobs')
    .set({ state: 'queued', round: round + 1, startedAt: null, finishedAt: null })
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .where('round', '=', round)
    .where('state', '=', 'generated')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await sql`
    insert into revisions (campaign_id, ordinal, round, cause, reason, evidence, commit, tree, title, summary, brief, transcript)
    select jobs.campaign_id, jobs.ordinal, ${round}::integer, ${why.cause}, ${storable(why.reason)}, ${storable(why.evidence)},
           candidates.commit, candidates.tree, coalesce(jobs.title, ''), coalesce(jobs.summary, ''), jobs.brief, jobs.transcript
    from jobs join candidates on candidates.campaign_id = jobs.campaign_id and candidates.ordinal = jobs.ordinal
    where jobs.campaign_id = ${campaignId} and jobs.ordinal = ${ordinal}
  `.execute(trx);
  return true;
}

/** The proposals of a job that went back, by round. */
export async function listRevisions(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<RevisionRow[]> {
  return db
    .selectFrom('revisions')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .orderBy('round')
    .execute();
}

/** What a job came to before, as far as it says whether its proposal goes back once more. */
export interface Past {
  /** Times that it went back for a cause. */
  readonly reworked: number;
  /** It went back with this very tree for that cause, and its coder made nothing else of it. */
  readonly stands: boolean;
  /** A job that was settled before this one's batch was planned has the same tree. */
  readonly repeats: boolean;
}

/** The past of a job whose candidate has this tree; `before` is the first ordinal of its batch. */
export async function pastOf(
  db: Kysely<Tables>,
  job: { readonly campaignId: number; readonly ordinal: number; readonly tree: string; readonly before: number },
  cause: RevisionRow['cause'],
): Promise<Past> {
  const { campaignId, ordinal, tree, before } = job;
  const same = await db
    .selectFrom('revisions')
    .select(['tree'])
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .where('cause', '=', cause)
    .execute();
  const earlier = await db
    .selectFrom('candidates')
    .innerJoin('jobs', (join) =>
      join.onRef('jobs.campaignId', '=', 'candidates.campaignId').onRef('jobs.ordinal', '=', 'candidates.ordinal'),
    )
    .select('jobs.ordinal')
    .where('candidates.campaignId', '=', campaignId)
    .where('candidates.tree', '=', tree)
    .where('candidates.ordinal', '<', before)
    .where('jobs.settlement', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return {
    reworked: same.length,
    stands: same.some((revision) => revision.tree === tree),
    repeats: earlier !== undefined,
  };
}

/** The proposals that went back to their coder whose commit ids begin with a prefix; few are enough to see that there are several. */
export async function revisionsByCommit(
  db: Kysely<Tables>,
  prefix: string,
): Promise<Pick<RevisionRow, 'campaignId' | 'ordinal' | 'round' | 'commit'>[]> {
  return db
    .selectFrom('revisions')
    .select(['campaignId', 'ordinal', 'round', 'commit'])
    .where('commit', 'like', `${prefix}%`)
    .orderBy('campaignId')
    .orderBy('ordinal')
    .limit(20)
    .execute();
}
