/**
 * The one shared state: PostgreSQL, embedded (PGlite) or on a server. Repositories are free functions with `db` first; those that must be
 * part of a larger step ask for a `Transaction`.
 *
 * - store.ts        openStore: lock, connection, migrations
 * - guard.ts        the database's faults as InfrastructureError
 * - lock.ts         one process a workspace
 * - migrate.ts      brings the schema up to date, refuses a newer one
 * - tables.ts       the rows; migrations/ is their SQL
 * - queue.ts        pg-boss: enqueue in the transaction, work, clear
 * - campaigns.ts    campaigns and their state
 * - planning.ts     jobs as they are planned
 * - seeds.ts       commits of the user: waiting, then jobs
 * - retries.ts      jobs that are to be tried again
 * - claims.ts       jobs as they are worked on: claim, then fenced writes
 * - cancel.ts       jobs that a person ends
 * - revisions.ts   proposals that go back to their coder; retained.ts   what they are compared with
 * - evaluations.ts  measurements: ask, claim, then fenced writes
 * - finals.ts       the choice of a winner, and looks at the splits of it
 * - stages.ts       what the steps of a measurement did, kept as soon as they end
 * - sums.ts         numbers of all campaigns for metrics
 * - series.ts       settled jobs in a few numbers each, for charts
 * - settlement.ts   what is final, in ordinal order; duplicates
 * - history.ts      what the archive is a fold of
 * - materials.ts    what descriptors are made of
 * - proposals.ts    what agents proposed, round by round
 * - recovery.ts     what a dead process left
 * - ledger.ts       reading jobs: pages, detail, counts
 * - candidates.ts   candidates by ordinal, by commit, by rank
 * - calls.ts        model calls and what they used
 * - spending.ts     money of calls under way, of all processes
 * - lessons.ts      what a campaign has learned
 * - workers.ts      processes that work on jobs: heartbeats, who is gone, who may measure
 * - lead.ts         the right to plan and settle a campaign
 * - bundles.ts      pinned evaluators for workers elsewhere
 * - lineage.ts      ancestors, failed siblings, trees seen; chains.ts, several lines of descent at once
 * - vectors.ts      vectors of files, repositories, candidates
 * - projections.ts, placements.ts   epochs and their verdicts
 * - artifacts.ts, events.ts         files of evaluations; what happened
 * - bell.ts         tells of events as they are committed
 * - receivers.ts    up to where those who are told what happens were told
 * - joined.ts       the joins that most reading begins with
 * - batches.ts      what one statement can take
 * - keep.ts         bulk of old jobs: how much, and gone
 * - json.ts         strict JSON and text that the database takes
 */

export * from './artifacts.ts';
export type { Bell, Hear, Heard } from './bell.ts';
export * from './bundles.ts';
export * from './calls.ts';
export * from './campaigns.ts';
export { CANCELLED, cancelJob, holdsEvaluation, holdsJob, isCancelled } from './cancel.ts';
export * from './candidates.ts';
export * from './chains.ts';
export * from './claims.ts';
export * from './evaluations.ts';
export { appendEvents, type EventPage, listEvents, type NewEvent } from './events.ts';
export * from './finals.ts';
export * from './history.ts';
export { type Json, type JsonText, storable, toJson } from './json.ts';
export * from './keep.ts';
export { isUnled, type Lead, requireLead, tellLeader } from './lead.ts';
export * from './ledger.ts';
export * from './lessons.ts';
export * from './lineage.ts';
export * from './materials.ts';
export * from './placements.ts';
export * from './planning.ts';
export * from './projections.ts';
export * from './proposals.ts';
export * from './queue.ts';
export { bestBefore, nextToTell, noteTold, setReceivers, TOLD, type Told } from './receivers.ts';
export * from './recovery.ts';
export * from './retained.ts';
export * from './retries.ts';
export * from './revisions.ts';
export * from './seeds.ts';
export * from './series.ts';
export * from './settlement.ts';
export * from './spending.ts';
export * from './stages.ts';
export { openStore, type Store, type StoreOptions } from './store.ts';
export {
  type DurationSum,
  type JobSum,
  sumDurations,
  sumFaults,
  sumJobs,
  sumOpenEvaluations,
  type Timed,
} from './sums.ts';
export type * from './tables.ts';
export * from './transfer.ts';
export * from './trials.ts';
export * from './vectors.ts';
export {
  beat,
  bindLabel,
  buryPredecessors,
  buryWorkers,
  type Claimant,
  countWaiting,
  type HeldWork,
  listHeld,
  listWorkers,
  type NewWorker,
  registerWorker,
  retireWorker,
  startDraining,
  type Waiting,
} from './workers.ts';
