/**
 * The composition root: what runs, in which order, and what is written when.
 *
 * - `host`          the campaigns that one process serves, each in a `seat`; `watch` follows the files of a workspace
 * - `session`       a campaign opened: frozen on its first run, compared later
 * - `runner`        one stretch of work: recover, plan, settle, until the last job is settled
 * - `plan`, `workers`, `settle`   the three transactions of a job's life; `admit` is settling's part of the archive
 * - `seed`          commits and patches of the user; `sow`, the next planning takes them
 * - `notify/`       who is told what happens
 * - `keep/`         what is kept of jobs that are over
 * - `log/`          lines and spans of what this process does; a file for each job
 * - `metrics/`      numbers for machines, and whether this process can take work
 * - `minimised`     what is left of a candidate becomes a job; `turns`, one worker a campaign at a time
 * - `limits`        pure: go on, pause or finish
 * - `finals`        the winner by validation, holdout once for it
 * - `memory`        what a runner knows without asking: population and tally, folds of the ledger
 * - `gain`          what counts as better than the root; `best`, the event of another one
 * - `tally`         running sums over settled jobs; `flight`, `faults`, `wake`, `wall`, `halt`, `disk` what the loop looks at
 * - `forecast/`     what the models of a campaign will cost, and whether they answer
 * - `compare`       all descriptors on one history
 * - `trials/`        second measurements: who must be tried, in which lane, and what candidates rank by after it
 * - `rework/`        proposals that go back to their coder: refused at build or test, or too near to a retained candidate
 * - `generation`    a worker's part in a proposal; `vector`, where its candidate lies
 * - `give-back`     work that did not come to an end; `blame`, whether of itself
 * - `worker/`        a process that works on campaigns which another one leads; `work-session`, what both work with
 * - `cancel`        a job that a person ends; `holds`, work in progress learns of it
 * - `retry`         a job that a person wants to be tried again
 * - `state`         running, paused, stopped, finished
 * - `crew`          pure: what work waits for that no worker can do
 * - `presence`      this process among those that work on campaigns; `leading`, transactions of the one that plans and settles
 * - `recover/`      what a dead process left
 * - `transfer/`     a whole campaign as files, and back
 * - `api`           what people may ask; `database-api` answers it without a running process; `views/` are the answers
 */
export type { ArtifactContent, CladeApi } from './api.ts';
export type { CancelView } from './cancel.ts';
export { type CompareOptions, compareDescriptors, type DescriptorRow, type History } from './compare.ts';
export { databaseApi } from './database-api.ts';
export { errorText } from './error-text.ts';
export { type Forecast, forecast, type Probe, probeModels, type Span, type Spent } from './forecast/index.ts';
export { beats, gainOf } from './gain.ts';
export { createHost, type Host, type HostOptions, type HostReports } from './host.ts';
export type { TidyView } from './keep/index.ts';
export { createLog, type JobLogView, LEVELS, type Level, type Log, silent } from './log/index.ts';
export { createMonitor, type Monitor, type Readiness } from './metrics/index.ts';
export type { MinimisedSource, MinimisedView } from './minimised.ts';
export { inspectNotify, type RehearsalView } from './notify/index.ts';
export { openPresence, type Presence, type PresenceOptions } from './presence.ts';
export type { RetryView } from './retry.ts';
export type { RunEnd } from './runner.ts';
export type { SeedSource, SeedView } from './seed.ts';
export type { SettledJob } from './tally.ts';
export { EXPORT_FORMAT, readExport, writeExport } from './transfer/index.ts';
export type { ArchiveView, Elite } from './views/archive.ts';
export type { BriefView } from './views/brief.ts';
export type { CandidateView, EvaluationView, RevisionView, TrialView } from './views/candidate.ts';
export type { DiffView } from './views/diff.ts';
export type { EventQuery, EventView } from './views/events.ts';
export type { Explanation } from './views/explain/index.ts';
export type { JobQuery, JobView } from './views/jobs.ts';
export type { MaterialPage, MaterialQuery, MaterialView } from './views/materials.ts';
export type { ProposalPage, ProposalQuery, ProposalView } from './views/proposals.ts';
export type { SeriesQuery, SeriesView } from './views/series.ts';
export type { PatchCandidate, PatchChoice, PatchSource } from './views/source.ts';
export type { CampaignStatus, Scored } from './views/status.ts';
export type { SplitResult, Winner } from './views/winner.ts';
export type { WorkerView } from './views/workers.ts';
export { createWake, type Wake } from './wake.ts';
export { watchCampaigns } from './watch.ts';
export { startWorker, type Worker } from './worker/index.ts';
export type { Slots } from './workers.ts';
