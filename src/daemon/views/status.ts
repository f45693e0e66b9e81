import type { Campaign, Objective } from '../../config/index.ts';
import { elites, occupiedCells, type Population } from '../../qd/index.ts';
import type {
  CallTotals,
  CampaignRow,
  CampaignState,
  Looks,
  ModelTotals,
  Numbers,
  Outcome,
} from '../../store/index.ts';
import type { Stage } from '../flight.ts';
import { beats, gainOf } from '../gain.ts';
import type { Snapshot } from '../runner.ts';
import type { Best, Tally } from '../tally.ts';
import type { TrialsGlance } from './trials.ts';
import type { Verdict, Winner } from './winner.ts';

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
  /** Relative gain of the best over the root in the primary score, positive is better; null without both. */
  readonly gain: number | null;
  /** Whether the best is better than the root by more than ε; less is noise, and is not handed out as a winner. */
  readonly beatsRoot: boolean;
  /** Whom the latest finals chose; null before them, and where the campaign has no validation split. */
  readonly winner: Winner | null;
  /** Candidates that were measured on the splits which the search does not see. */
  readonly looks: Looks;
  readonly trials: TrialsGlance;
  readonly archive: ArchiveGlance;
  /** What the model calls of all jobs used. */
  readonly calls: CallTotals;
  /** The same by role and model, the most expensive first. */
  readonly models: readonly ModelTotals[];
  /** Those who are asked for code, where there are several. */
  readonly coders: readonly CoderStanding[];
  /** Entries that an island took between planning and settlement of a job; null before the first. */
  readonly staleness: { readonly mean: number; readonly max: number } | null;
  /** What its work waits for that no worker can do, in sentences. */
  readonly waitsFor: readonly string[];
  readonly inFlight: readonly { readonly ordinal: number; readonly stage: Stage; readonly forMs: number }[];
  /** The lowest isolation level that was really had. */
  readonly isolation: number | null;
}

/** A coder as the search sees it. */
export interface CoderStanding {
  readonly name: string;
  readonly weight: number;
  /** Settled jobs of it. */
  readonly jobs: number;
  /** What they are worth by now: the latest count most. */
  readonly pulls: number;
  /** Mean reward for one, in [0, 1]: improvement for its cost; null before the first. */
  readonly mean: number | null;
}

export interface Scored {
  readonly ordinal: number;
  readonly commit: string;
  readonly title: string | null;
  /** As first measured. */
  readonly objectives: Numbers;
  /** What it is ranked by. */
  readonly scores: Numbers;
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
  snapshot: Omit<Snapshot, 'islands'> & {
    readonly archive: ArchiveGlance;
    readonly verdict: Verdict;
    readonly trials: TrialsGlance;
    readonly calls: CallTotals;
    readonly models: readonly ModelTotals[];
    readonly waitsFor: readonly string[];
  },
  running: boolean,
): CampaignStatus {
  const { tally, planned, wallMs, flights, archive, verdict, trials, calls, models, waitsFor } = snapshot;
  const { jobs, sum, max } = tally.staleness;
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
    root: scored(tally.root),
    best: scored(tally.best),
    gain: primary === undefined ? null : gainOf(tally.root?.scores, tally.best?.scores, primary),
    beatsRoot: primary !== undefined && beats(tally.best?.scores, tally.root?.scores, primary),
    ...verdict,
    calls,
    models,
    coders: standings(campaign, tally),
    trials,
    archive,
    staleness: jobs === 0 ? null : { mean: sum / jobs, max },
    waitsFor,
    inFlight: flights.map(({ ordinal, stage, since }) => ({ ordinal, stage, forMs: now - since })),
    isolation: row.isolation,
  };
}

function standings({ agents }: Campaign, { belief }: Tally): CoderStanding[] {
  if (agents.coders.length < 2) return [];
  return agents.coders.map(({ name, weight }) => {
    const { jobs, pulls, reward } = belief.arms.get(name) ?? { jobs: 0, pulls: 0, reward: 0 };
    return { name, weight, jobs, pulls, mean: pulls === 0 ? null : reward / pulls };
  });
}

function scored(best: Best | null): Scored | null {
  if (best === null) return null;
  const { ordinal, commit, title, objectives, scores } = best;
  return { ordinal, commit, title, objectives, scores };
}

/** The archives of all islands at a glance, from memory: sums, the latest epoch, and the island that still warms up. */
export function glance(islands: readonly Population[]): ArchiveGlance {
  const archives = islands.flatMap(({ archive }) => (archive === null ? [] : [archive]));
  const cold = islands.find(({ archive }) => archive === null);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);
  return {
    epoch: Math.max(0, ...islands.map(({ epoch }) => epoch)),
    cells: sum(islands.map(({ settings }) => settings.grid.cells ** settings.projection.dimensions)),
    occupied: sum(archives.map((archive) => occupiedCells(archive).length)),
    members: sum(archives.map((archive) => elites(archive).length)),
    warmup: cold === undefined ? null : { have: cold.history.length, need: cold.settings.warmup },
  };
}
