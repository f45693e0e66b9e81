import type { Kysely } from 'kysely';
import type { Split, Tables } from './tables.ts';

/** Jobs beside their candidate and its evaluation on `train`, both null where there is none. */
export function jobsWithFates(db: Kysely<Tables>) {
  return db
    .selectFrom('jobs')
    .leftJoin('candidates', (join) =>
      join.onRef('candidates.campaignId', '=', 'jobs.campaignId').onRef('candidates.ordinal', '=', 'jobs.ordinal'),
    )
    .leftJoin('evaluations', (join) =>
      join
        .onRef('evaluations.campaignId', '=', 'candidates.campaignId')
        .onRef('evaluations.tree', '=', 'candidates.tree')
        .on('evaluations.split', '=', 'train'),
    );
}

/** The jobs whose candidate counts (outcome `candidate`), with its evaluation on a split. */
export function measuredCandidates(db: Kysely<Tables>, campaignId: number, split: Split) {
  return db
    .selectFrom('jobs')
    .innerJoin('candidates', (join) =>
      join.onRef('candidates.campaignId', '=', 'jobs.campaignId').onRef('candidates.ordinal', '=', 'jobs.ordinal'),
    )
    .innerJoin('evaluations', (join) =>
      join
        .onRef('evaluations.campaignId', '=', 'candidates.campaignId')
        .onRef('evaluations.tree', '=', 'candidates.tree')
        .on('evaluations.split', '=', split),
    )
    .where('jobs.campaignId', '=', campaignId)
    .where('jobs.outcome', '=', 'candidate');
}
