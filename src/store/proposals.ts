import type { Kysely } from 'kysely';
import type { JobRow, RevisionRow, Tables } from './tables.ts';

/** A job whose agent has come to an end, with what it proposed and where it began. */
export interface ProposalLine
  extends Pick<
    JobRow,
    | 'ordinal'
    | 'round'
    | 'outcome'
    | 'stage'
    | 'failureKind'
    | 'reason'
    | 'coder'
    | 'title'
    | 'summary'
    | 'plan'
    | 'transcript'
    | 'usage'
    | 'finishedAt'
  > {
  readonly base: { readonly ordinal: number; readonly commit: string; readonly tree: string };
  /** Null when no commit came of it. */
  readonly commit: string | null;
  readonly tree: string | null;
  /** What it proposed before, by round. */
  readonly revisions: readonly RevisionRow[];
}

/** A page of what the agents of a campaign proposed, by ordinal, after a place in that order; seeds of users are no proposals. */
export async function listProposals(
  db: Kysely<Tables>,
  campaignId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ProposalLine[]> {
  const jobs = await db
    .selectFrom('jobs')
    .innerJoin('candidates as bases', (join) =>
      join.onRef('bases.campaignId', '=', 'jobs.campaignId').onRef('bases.ordinal', '=', 'jobs.baseOrdinal'),
    )
    .leftJoin('candidates', (join) =>
      join.onRef('candidates.campaignId', '=', 'jobs.campaignId').onRef('candidates.ordinal', '=', 'jobs.ordinal'),
    )
    .select(['jobs.ordinal', 'jobs.round', 'jobs.outcome', 'jobs.stage', 'jobs.failureKind', 'jobs.reason'])
    .select(['jobs.coder', 'jobs.title', 'jobs.summary', 'jobs.plan', 'jobs.transcript', 'jobs.usage'])
    .select(['jobs.finishedAt', 'candidates.commit', 'candidates.tree'])
    .select(['bases.ordinal as baseOrdinal', 'bases.commit as baseCommit', 'bases.tree as baseTree'])
    .where('jobs.campaignId', '=', campaignId)
    .where('jobs.kind', '=', 'generate')
    .where('jobs.state', 'in', ['generated', 'failed', 'settled'])
    .where('jobs.ordinal', '>', after)
    .orderBy('jobs.ordinal')
    .limit(limit)
    .execute();
  const revisions = await revisionsOf(
    db,
    campaignId,
    jobs.map(({ ordinal }) => ordinal),
  );
  return jobs.map(({ baseOrdinal, baseCommit, baseTree, ...job }) => ({
    ...job,
    base: { ordinal: baseOrdinal, commit: baseCommit, tree: baseTree },
    revisions: revisions.filter(({ ordinal }) => ordinal === job.ordinal),
  }));
}

async function revisionsOf(
  db: Kysely<Tables>,
  campaignId: number,
  ordinals: readonly number[],
): Promise<readonly RevisionRow[]> {
  // SQL has no empty list.
  if (ordinals.length === 0) return [];
  return db
    .selectFrom('revisions')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('ordinal', 'in', ordinals)
    .orderBy('ordinal')
    .orderBy('round')
    .execute();
}
