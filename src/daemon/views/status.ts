import type { Campaign, Objective } from '../../config/index.ts';
import { cellCount, elites, occupiedCells, type Population } from '../../qd/index.ts';
import type { CampaignRow, CampaignState, Numbers, Outcome } from '../../store/index.ts';
import type { Stage } from '../flight.ts';
import { beats, gainOf } from '../gain.ts';
import type { Snapshot } from '../runner.ts';

/** One campaign at a glance; plain JSON, the same whether it came over HTTP or from the database. */
export interface CampaignStatus {
  readonly name: string;
  readonly state: CampaignState;
  readonly cause: string | null;
  /** True while a process works on it. */
  readonly running: boolean;
  readonly directory: string;
  readonly rootCommit: string;
  readonly objectives: readonly Objective[];
  readonly budget: {
    readonly jobs: number;
    readonly planned: number;
    readonly settled: number;
    readonly wallMs: number | null;
    readonly wallMsUsed: number;
  };
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** `stage/kind` → jobs. */
  readonly failures: Readonly<Record<string, number>>;
  readonly root: Scored | null;
  readonly best: Scored | null;
  /** Relative gain of the best over the root in the primary objective, positive is better; null without both. */
  readonly gain: number | null;
  /** Whether the best is better than the root by more than ε; less is noise, and is not handed out as a winner. */
  readonly beatsRoot: boolean;
  readonly archive: ArchiveGlance;
  readonly inFlight: readonly { readonly ordinal: number; readonly stage: Stage; readonly forMs: number }[];
  /** The lowest isolation level that was really had. */
  readonly isolation: number | null;
}

export interface Scored {
  readonly ordinal: number;
  readonly commit: string;
  readonly title: string | null;
  readonly objectives: Numbers;
}

export interface ArchiveGlance {
  /** 0 while warming up. */
  readonly epoch: number;
  readonly cells: number;
  readonly occupied: number;
  readonly members: number;
  /** Valid candidates so far and needed for the first projection; null once it is there. */
  readonly warmup: { readonly have: number; readonly need: number } | null;
}

/** The status line of a campaign from its row and what is known of its jobs. */
export function statusOf(
  row: CampaignRow,
  campaign: Campaign,
  snapshot: Omit<Snapshot, 'population'> & { readonly archive: ArchiveGlance },
  running: boolean,
): CampaignStatus {
  const { tally, planned, wallMs, flights, archive } = snapshot;
  const [primary] = campaign.evaluator.objectives;
  const now = Date.now();
  return {
    name: row.name,
    state: row.state,
    cause: row.cause,
    running,
    directory: row.directory,
    rootCommit: row.rootCommit,
    objectives: campaign.evaluator.objectives,
    budget: {
      jobs: campaign.budget.jobs,
      planned,
      settled: tally.settled,
      wallMs: campaign.budget.wallMs,
      wallMsUsed: wallMs,
    },
    outcomes: { ...tally.outcomes },
    failures: Object.fromEntries([...tally.failures].sort(([, a], [, b]) => b - a)),
    root: tally.root,
    best: tally.best,
    gain: primary === undefined ? null : gainOf(tally.root?.objectives, tally.best?.objectives, primary),
    beatsRoot: primary !== undefined && beats(tally.best?.objectives, tally.root?.objectives, primary),
    archive,
    inFlight: flights.map(({ ordinal, stage, since }) => ({ ordinal, stage, forMs: now - since })),
    isolation: row.isolation,
  };
}

/** The archive at a glance, from memory. */
export function glance(population: Population): ArchiveGlance {
  const { archive, epoch, history, settings } = population;
  const cells = settings.grid.cells ** settings.projection.dimensions;
  if (archive === null) {
    return { epoch, cells, occupied: 0, members: 0, warmup: { have: history.length, need: settings.warmup } };
  }
  return {
    epoch,
    cells: cellCount(archive.grid),
    occupied: occupiedCells(archive).length,
    members: elites(archive).length,
    warmup: null,
  };
}
