import type { Kysely } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import {
  bestCandidates,
  type CampaignRow,
  latestProjection,
  listPlacements,
  type Numbers,
  type Tables,
} from '../../store/index.ts';
import type { ArchiveGlance } from './status.ts';

const ISLAND = 0;
/** More candidates than any archive holds. */
const ALL = 1_000_000;

/** One retained candidate. */
export interface Elite {
  readonly ordinal: number;
  readonly cell: number;
  readonly commit: string;
  readonly title: string | null;
  readonly objectives: Numbers;
}

/** The archive of the current epoch: the members of every front, by cell. */
export interface ArchiveView extends ArchiveGlance {
  readonly campaign: string;
  /** Ordered by cell, then by settlement. */
  readonly elites: readonly Elite[];
}

/** Reads the archive back from its placements: what was accepted and has not been evicted since. */
export async function readArchive(db: Kysely<Tables>, row: CampaignRow, campaign: Campaign): Promise<ArchiveView> {
  const { grid, projection, warmup } = campaign.search;
  const [primary] = campaign.evaluator.objectives;
  const cells = grid.cells ** projection.dimensions;
  const epoch = (await latestProjection(db, row.id, ISLAND))?.epoch ?? 0;
  const valid = primary === undefined ? [] : await bestCandidates(db, row.id, primary, ALL);
  if (epoch === 0) {
    const progress = { have: valid.length, need: warmup };
    return { campaign: row.name, epoch, cells, occupied: 0, members: 0, warmup: progress, elites: [] };
  }
  const placements = await listPlacements(db, { campaignId: row.id, island: ISLAND, epoch });
  const evicted = new Set(placements.flatMap((placement) => placement.evicted));
  const known = new Map(valid.map((candidate) => [candidate.ordinal, candidate]));
  const elites = placements
    .filter((placement) => placement.verdict !== 'rejected' && !evicted.has(placement.ordinal))
    .flatMap(({ ordinal, cell }) => {
      const candidate = known.get(ordinal);
      return candidate === undefined ? [] : [{ cell, ...candidate }];
    })
    .sort((a, b) => a.cell - b.cell || a.ordinal - b.ordinal);
  const occupied = new Set(elites.map((elite) => elite.cell)).size;
  return { campaign: row.name, epoch, cells, occupied, members: elites.length, warmup: null, elites };
}
