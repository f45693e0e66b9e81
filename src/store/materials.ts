import type { Kysely } from 'kysely';
import { decodeFloat64 } from '../embedding/index.ts';
import { measuredCandidates } from './joined.ts';
import type { Intervals, Numbers, Tables } from './tables.ts';
import { rulings } from './trials.ts';
import type { StoredRepositoryVector } from './vectors.ts';

/** What the database knows of a settled valid candidate that descriptors are made of and compared by. */
export interface Material {
  readonly ordinal: number;
  /** Place in the settlement order. */
  readonly settlement: number;
  readonly commit: string;
  readonly tree: string;
  /** What it ranks by, raw numbers by name. */
  readonly scores: Numbers;
  readonly intervals: Intervals;
  readonly features: Numbers;
  readonly repository: StoredRepositoryVector | null;
}

/** The valid candidates of all islands, the root with them, in settlement order from a place on. */
export async function listMaterials(
  db: Kysely<Tables>,
  campaignId: number,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<Material[]> {
  const rows = await measuredCandidates(db, campaignId, 'train')
    .select(['jobs.ordinal', 'jobs.settlement', 'candidates.commit', 'candidates.tree'])
    .leftJoin(rulings(db, campaignId).as('rulings'), 'rulings.ordinal', 'jobs.ordinal')
    .select(['evaluations.intervals', 'evaluations.features'])
    .select((eb) => eb.fn.coalesce('rulings.scores', 'evaluations.scores').as('scores'))
    .where('jobs.settlement', '>=', from)
    .where('evaluations.scores', 'is not', null)
    .orderBy('jobs.settlement')
    .limit(limit)
    .execute();
  const trees = rows.map((row) => row.tree);
  const vectors = await vectorsOf(db, campaignId, trees);
  return rows.flatMap(({ settlement, scores, intervals, features, ...row }) => {
    if (settlement === null || scores === null) return [];
    const repository = vectors.get(row.tree) ?? null;
    return [{ ...row, settlement, scores, intervals: intervals ?? {}, features: features ?? {}, repository }];
  });
}

/** By tree. The provider of a campaign is frozen, so there is one vector of each. */
async function vectorsOf(
  db: Kysely<Tables>,
  campaignId: number,
  trees: readonly string[],
): Promise<Map<string, StoredRepositoryVector>> {
  if (trees.length === 0) return new Map();
  const rows = await db
    .selectFrom('repositoryVectors')
    .select(['tree', 'sum', 'count', 'depth'])
    .where('campaignId', '=', campaignId)
    .where('tree', 'in', trees)
    .execute();
  return new Map(rows.map(({ tree, sum, count, depth }) => [tree, { sum: decodeFloat64(sum), count, depth }]));
}
