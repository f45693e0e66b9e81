import type { CancelView } from './cancel.ts';
import type { TidyView } from './keep/index.ts';
import type { JobLogView } from './log/index.ts';
import type { MinimisedSource, MinimisedView } from './minimised.ts';
import type { RehearsalView } from './notify/index.ts';
import type { RetryView } from './retry.ts';
import type { SeedSource, SeedView } from './seed.ts';
import type { ArchiveView } from './views/archive.ts';
import type { BriefView } from './views/brief.ts';
import type { CandidateView } from './views/candidate.ts';
import type { DiffView } from './views/diff.ts';
import type { EventQuery, EventView } from './views/events.ts';
import type { Explanation } from './views/explain/index.ts';
import type { JobQuery, JobView } from './views/jobs.ts';
import type { MaterialPage, MaterialQuery } from './views/materials.ts';
import type { ProposalPage, ProposalQuery } from './views/proposals.ts';
import type { SeriesQuery, SeriesView } from './views/series.ts';
import type { PatchChoice, PatchSource } from './views/source.ts';
import type { CampaignStatus } from './views/status.ts';
import type { WorkerView } from './views/workers.ts';

/** What the bytes of an artifact come with. */
export interface ArtifactContent {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/**
 * Everything that people ask of a workspace, answered in plain JSON: by the database when it is ours to open, over HTTP by
 * the process that holds it otherwise. Every method throws NotFoundError for an unknown name.
 */
export interface CladeApi {
  campaigns(): Promise<CampaignStatus[]>;
  /** The processes that work on jobs. */
  workers(): Promise<WorkerView[]>;
  status(name: string): Promise<CampaignStatus>;
  jobs(name: string, query: JobQuery): Promise<JobView[]>;
  job(name: string, ordinal: number): Promise<CandidateView>;
  /** The candidate that a prefix of a commit id names. */
  candidate(commit: string): Promise<CandidateView>;
  /** Why a job was planned as it was and why it ended as it did. */
  explain(name: string, ordinal: number): Promise<Explanation>;
  /** What a job changed of its base. */
  diff(name: string, ordinal: number): Promise<DiffView>;
  /** What a chart is drawn from, page by page. */
  series(name: string, query: SeriesQuery): Promise<SeriesView>;
  /** What a job's coder was told, or is told when its turn comes. */
  brief(name: string, ordinal: number): Promise<BriefView>;
  /** What was done for a job on the machine that answers, line by line. */
  jobLog(name: string, ordinal: number): Promise<JobLogView>;
  archive(name: string): Promise<ArchiveView>;
  events(name: string, query: EventQuery): Promise<EventView[]>;
  artifact(id: number): Promise<ArtifactContent>;
  patchSource(name: string, choice: PatchChoice): Promise<PatchSource>;
  /** What the descriptors of its history are made of, page by page. */
  materials(name: string, query: MaterialQuery): Promise<MaterialPage>;
  /** What its agents proposed, page by page. */
  proposals(name: string, query: ProposalQuery): Promise<ProposalPage>;
  /** Brings a commit or a patch of the user in as a job; again, it changes nothing. */
  seed(name: string, source: SeedSource): Promise<SeedView>;
  /** Enters what is left of a candidate, with its measurement, as a job that no budget is charged for. */
  enterMinimised(name: string, source: MinimisedSource): Promise<MinimisedView>;
  /** Plans no more until `resume`; what is in flight is finished and kept. */
  pause(name: string): Promise<CampaignStatus>;
  resume(name: string): Promise<CampaignStatus>;
  /** Ends a job, and the work on it at once; it stays charged. */
  cancel(name: string, ordinal: number): Promise<CancelView>;
  /** Has a job that came to nothing done again, as a job of its own. */
  retry(name: string, ordinal: number): Promise<RetryView>;
  /** Sends a test message to everybody who is told what happens. */
  rehearse(name: string): Promise<RehearsalView[]>;
  /** Removes what `keep` does not want kept, and checkouts of a campaign that is over; `dryRun` only says what that is. */
  tidy(name: string, dryRun: boolean): Promise<TidyView>;
  /** Ends the campaign for good, short of a later `run`. */
  stop(name: string): Promise<CampaignStatus>;
}
