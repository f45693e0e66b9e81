/**
 * The rows as Kysely sees them. SQL names are the snake_case of these (CamelCasePlugin); the schema itself, with its
 * indexes and constraints, is `migrations/`. Times are `timestamptz`, durations milliseconds, blobs of numbers `bytea`
 * in little-endian order.
 */

import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { BundleTable, ReceiverTable, RetryTable, WorkerTable } from './cluster-tables.ts';
import type { Made, OrNull, Stored, StoredOrNull } from './columns.ts';
import type { Json } from './json.ts';
import type { EvaluationTable, FinalTable, StageTable, TrialTable } from './measurement-tables.ts';
import type {
  CallTable,
  LessonTable,
  ReservationTable,
  RetainedTable,
  RevisionTable,
  SpendingTable,
} from './model-tables.ts';

export type * from './cluster-tables.ts';
export type * from './measurement-tables.ts';
export type * from './model-tables.ts';

export type CampaignState = 'running' | 'paused' | 'stopped' | 'finished';

export interface CampaignTable {
  id: Generated<number>;
  name: string;
  /** `frozenPart(campaign)` at the first run; never changes. */
  frozen: Stored<Json>;
  /** The live part that is in force now. */
  live: Stored<Json>;
  /** Absolute folder of the campaign file. */
  directory: string;
  rootCommit: string;
  rootTree: string;
  bundleHash: string;
  state: ColumnType<CampaignState, CampaignState | undefined, CampaignState>;
  /** Why the campaign is paused, stopped or finished. */
  cause: OrNull<string>;
  /** The lowest isolation level (0 none … 3) that an agent or an evaluation really had. */
  isolation: OrNull<number>;
  /** The ordinal that the finals chose; null before them and without a validation split. */
  winner: OrNull<number>;
  /** What measures it: the label of the worker that measured the root; null before. */
  label: OrNull<string>;
  /** Raised by every change of the process that plans and settles: its fencing token. */
  lead: Generated<number>;
  /** Time spent running, for the wall budget. */
  wallMsUsed: Generated<number>;
  createdAt: Made;
  updatedAt: Made;
}

/**
 * `queued` → `generating` → `generated` (has a candidate) or `failed` (ended without one) → `settled`. The root (ordinal 0)
 * and seeds start as `generated`.
 */
export type JobState = 'queued' | 'generating' | 'generated' | 'failed' | 'settled';
/** `candidate`: valid and offered to the archive. `invalid`: the evaluator refused it. `failed`: there was none. */
export type Outcome = 'candidate' | 'no_change' | 'duplicate' | 'failed' | 'invalid';

export interface JobTable {
  campaignId: number;
  /** 0 is the root, which no budget is charged for; jobs count from 1. */
  ordinal: number;
  /** A seed is a commit of the user: nobody generates it. A minimised candidate is charged to no budget. */
  kind: 'root' | 'generate' | 'seed' | 'minimised';
  island: Generated<number>;
  baseOrdinal: OrNull<number>;
  inspirations: Stored<readonly number[]>;
  /** The policy's explanation of base and inspirations. */
  decision: StoredOrNull<Json>;
  /** The batch that planned it, from 0. */
  batch: OrNull<number>;
  state: ColumnType<JobState, JobState | undefined, JobState>;
  outcome: OrNull<Outcome>;
  /** The step that ended a failed job. */
  stage: OrNull<string>;
  failureKind: OrNull<string>;
  reason: OrNull<string>;
  /** The earlier ordinal with the same tree or identity. */
  duplicateOf: OrNull<number>;
  /** Raised by every claim: the fencing token of the worker that holds the job. */
  attempt: Generated<number>;
  /** Who claimed it last. */
  worker: OrNull<string>;
  /** Times that its proposal went back to the coder: those before are `revisions`. */
  round: Generated<number>;
  /** Entries that the job's island took between its planning and its settlement. */
  staleness: OrNull<number>;
  /** Position in the campaign's settlement order, from 0. */
  settlement: OrNull<number>;
  brief: OrNull<string>;
  transcript: OrNull<string>;
  title: OrNull<string>;
  summary: OrNull<string>;
  usage: StoredOrNull<Json>;
  /** The name of the coder that was chosen for it. */
  coder: OrNull<string>;
  /** What the planner wrote. */
  plan: OrNull<string>;
  queuedAt: Made;
  startedAt: OrNull<Date>;
  finishedAt: OrNull<Date>;
  settledAt: OrNull<Date>;
  /** When its artifacts, or what its agent was told and said, were removed. */
  tidiedAt: OrNull<Date>;
}

export interface CandidateTable {
  campaignId: number;
  ordinal: number;
  commit: string;
  tree: string;
  parentCommit: OrNull<string>;
  files: number;
  /** Lines. */
  added: number;
  /** Lines. */
  deleted: number;
  changedPaths: Stored<readonly string[]>;
  createdAt: Made;
}

/** What a user brought and how it entered. One row for every (campaign, tree). */
export interface SeedTable {
  /** In the order in which they came. */
  id: Generated<number>;
  campaignId: number;
  tree: string;
  /** On the root, made by us. */
  commit: string;
  kind: ColumnType<'seed' | 'minimised', 'seed' | 'minimised' | undefined, never>;
  /** The id of the user's commit or the name of the patch file; of a minimised one the commit that it was made of. */
  source: string;
  title: string;
  files: number;
  /** Lines. */
  added: number;
  /** Lines. */
  deleted: number;
  changedPaths: Stored<readonly string[]>;
  /** The job that it became; null while it waits for the next planning. */
  ordinal: OrNull<number>;
  createdAt: Made;
}

/** The embedding cache, shared by all campaigns: the vector of a file depends on its bytes and the provider only. */
export interface FileVectorTable {
  /** `cacheKey` of the embedding folder. */
  key: string;
  /** float32 × dimensions. */
  vector: Uint8Array;
}

export interface RepositoryVectorTable {
  campaignId: number;
  provider: string;
  tree: string;
  /** float64 × dimensions: the sum over the eligible files. */
  sum: Uint8Array;
  /** Files in the sum. */
  count: number;
  /** Incremental updates since the sum was computed from scratch. */
  depth: number;
}

export interface DescriptorTable {
  campaignId: number;
  ordinal: number;
  /** float32 × dimensions. */
  vector: Uint8Array;
}

export interface ProjectionTable {
  campaignId: number;
  island: number;
  epoch: number;
  /** Size of the history it was fitted on: settlements below this one. */
  settlement: number;
  /** `encodeProjection`: every double to the bit. */
  payload: Uint8Array;
  createdAt: Made;
}

export type Verdict = 'new' | 'improved' | 'rejected';

export interface PlacementTable {
  campaignId: number;
  island: number;
  epoch: number;
  ordinal: number;
  verdict: Verdict;
  cell: number;
  reason: string;
  /** In [0,1]^d. */
  coordinates: Stored<readonly number[]>;
  /** Ordinals that left the front. */
  evicted: Stored<readonly number[]>;
  settlement: number;
}

export interface ArtifactTable {
  id: Generated<number>;
  campaignId: number;
  ordinal: number;
  tree: string;
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  content: Uint8Array;
  createdAt: Made;
}

export interface EventTable {
  /** Rises in commit order, so a reader that pages after the last one it saw misses nothing. */
  id: Generated<number>;
  campaignId: OrNull<number>;
  at: Made;
  kind: string;
  ordinal: OrNull<number>;
  data: Stored<Json>;
}

export interface Tables {
  campaigns: CampaignTable;
  jobs: JobTable;
  candidates: CandidateTable;
  revisions: RevisionTable;
  retained: RetainedTable;
  seeds: SeedTable;
  retries: RetryTable;
  spending: SpendingTable;
  reservations: ReservationTable;
  evaluations: EvaluationTable;
  stages: StageTable;
  trials: TrialTable;
  finals: FinalTable;
  calls: CallTable;
  lessons: LessonTable;
  workers: WorkerTable;
  receivers: ReceiverTable;
  bundles: BundleTable;
  fileVectors: FileVectorTable;
  repositoryVectors: RepositoryVectorTable;
  descriptors: DescriptorTable;
  projections: ProjectionTable;
  placements: PlacementTable;
  artifacts: ArtifactTable;
  events: EventTable;
}

export type CampaignRow = Selectable<CampaignTable>;
export type JobRow = Selectable<JobTable>;
export type CandidateRow = Selectable<CandidateTable>;
export type SeedRow = Selectable<SeedTable>;
export type ProjectionRow = Selectable<ProjectionTable>;
export type PlacementRow = Selectable<PlacementTable>;
export type ArtifactRow = Selectable<ArtifactTable>;
export type EventRow = Selectable<EventTable>;
export type NewCampaign = Insertable<CampaignTable>;
