import type { Kysely } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import {
  type CampaignRow,
  latestProjection,
  listPlacements,
  type Numbers,
  type RankedCandidate,
  settledCandidates,
  type Tables,
} from '../../store/index.ts';
import type { ArchiveGlance } from './status.ts';

/** One retained candidate. */
export interface Elite {
  readonly ordinal: number;
  readonly island: number;
  readonly cell: number;
  readonly commit: string;
  readonly title: string | null;
  /** As first measured. */
  readonly objectives: Numbers;
  /** What it is ranked by. */
  readonly scores: Numbers;
}

/** The archives of all islands, each in its current epoch: the members of every front. */
export interface ArchiveView extends ArchiveGlance {
  readonly campaign: string;
  /** Ordered by island, by cell, then by ordinal. */
  readonly elites: readonly Elite[];
}

/** Reads the archives back from their placements: what was accepted and has not been evicted since. */
export async function readArchive(db: Kysely<Tables>, row: CampaignRow, campaign: Campaign): Promise<ArchiveView> {
  const { grid, projection, warmup, islands } = campaign.search;
  const valid = await settledCandidates(db, row.id);
  const numbers = Array.from({ length: islands.count }, (_, island) => island);
  const found = await Promise.all(numbers.map((island) => readIsland(db, row.id, island, valid)));
  const elites = found.flatMap((island) => island.elites);
  const cold = found.find(({ epoch }) => epoch === 0);
  return {
    campaign: row.name,
    epoch: Math.max(0, ...found.map(({ epoch }) => epoch)),
    cells: islands.count * grid.cells ** projection.dimensions,
    occupied: new Set(elites.map(({ island, cell }) => `${island}/${cell}`)).size,
    members: elites.length,
    warmup: cold === undefined ? null : { have: cold.have, need: warmup },
    elites,
  };
}

async function readIsland(
  db: Kysely<Tables>,
  campaignId: number,
  island: number,
  valid: readonly RankedCandidate[],
): Promise<{ epoch: number; have: number; elites: Elite[] }> {
  const own = valid.filter((candidate) => candidate.island === island || candidate.ordinal === 0);
  const epoch = (await latestProjection(db, campaignId, island))?.epoch ?? 0;
  if (epoch === 0) return { epoch, have: own.length, elites: [] };
  const placements = await listPlacements(db, { campaignId, island, epoch });
  const evicted = new Set(placements.flatMap((placement) => placement.evicted));
  const known = new Map(own.map((candidate) => [candidate.ordinal, candidate]));
  const elites = placements
    .filter((placement) => placement.verdict !== 'rejected' && !evicted.has(placement.ordinal))
    .flatMap(({ ordinal, cell }) => {
      const candidate = known.get(ordinal);
      return candidate === undefined ? [] : [{ ...candidate, island, cell }];
    })
    .sort((a, b) => a.cell - b.cell || a.ordinal - b.ordinal);
  return { epoch, have: own.length, elites };
}
