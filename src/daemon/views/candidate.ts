import type { Kysely } from 'kysely';
import { NotFoundError, UsageError } from '../../errors.ts';
import {
  type ArtifactLine,
  ancestry,
  type CallTotals,
  type CampaignRow,
  callTotals,
  candidatesByCommit,
  type EvaluationRow,
  getCampaign,
  getJob,
  type JobRow,
  listArtifacts,
  listInterrupted,
  listRevisions,
  listStages,
  type Numbers,
  placementsOf,
  type Relation,
  type RevisionRow,
  revisionsByCommit,
  type StageRow,
  scoresOf,
  type Tables,
  type TrialMeasurement,
  type TrialRow,
  type Tries,
  trialsOf,
  triesOf,
} from '../../store/index.ts';

/** Everything that is known of one job and its candidate; plain JSON, times in ISO 8601. */
export interface CandidateView {
  readonly campaign: string;
  readonly ordinal: number;
  readonly state: JobRow['state'];
  readonly outcome: JobRow['outcome'];
  readonly stage: string | null;
  readonly failureKind: string | null;
  readonly reason: string | null;
  readonly duplicateOf: number | null;
  /** The job that it is another try of, and its own other tries. */
  readonly tries: Tries;
  readonly title: string | null;
  readonly summary: string | null;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly parentCommit: string | null;
  readonly changedPaths: readonly string[];
  readonly island: number;
  readonly base: number | null;
  readonly inspirations: readonly number[];
  readonly decision: JobRow['decision'];
  /** Whether the latest finals chose it. */
  readonly winner: boolean;
  /** Entries that the island took between planning and settlement; null before that, and for the root. */
  readonly staleness: number | null;
  readonly lineage: readonly Pick<Relation, 'ordinal' | 'commit' | 'title' | 'objectives'>[];
  readonly evaluations: readonly EvaluationView[];
  /** What it is ranked by: the scores of its first measurement on `train`, or what trials made of them; null when by nothing. */
  readonly scores: Numbers | null;
  /** Those that it was in, as challenger or as incumbent. */
  readonly trials: readonly TrialView[];
  readonly placements: readonly PlacementView[];
  readonly artifacts: readonly Pick<ArtifactLine, 'id' | 'name' | 'mediaType' | 'size'>[];
  /** When artifacts, brief or transcript were removed because `keep` does not want them; null when nothing was. ISO 8601. */
  readonly tidiedAt: string | null;
  readonly brief: string | null;
  readonly transcript: string | null;
  /** What the planner wrote for it. */
  readonly plan: string | null;
  /** Times that its proposal went back to the coder. */
  readonly round: number;
  /** The proposals that went back, by round; brief and transcript of the last round are the job's. */
  readonly revisions: readonly RevisionView[];
  /** The name of the coder that made it; null for the root, seeds and jobs that have not run. */
  readonly coder: string | null;
  /** What its model calls used. */
  readonly calls: CallTotals;
}

export interface EvaluationView
  extends Pick<
    EvaluationRow,
    | 'split'
    | 'state'
    | 'status'
    | 'kind'
    | 'objectives'
    | 'intervals'
    | 'metrics'
    | 'identity'
    | 'summary'
    | 'evidence'
    | 'durationMs'
    | 'isolation'
    | 'machine'
    | 'scores'
    | 'sharedWith'
    | 'stderrTail'
    | 'stdoutTail'
  > {
  readonly finishedAt: string | null;
  /** Of its last attempt that has any, also while it runs. */
  readonly stages: readonly StageView[];
}

export type StageView = Omit<StageRow, 'campaignId' | 'tree' | 'split' | 'finishedAt'> & {
  readonly finishedAt: string;
};

export type RevisionView = Omit<RevisionRow, 'campaignId' | 'ordinal' | 'madeAt'> & { readonly madeAt: string };

/** A second measurement; `outcome` is null until it is decided. */
export interface TrialView extends Pick<TrialRow, 'number' | 'cause' | 'challenger' | 'incumbent' | 'outcome'> {
  readonly measurements: readonly TrialMeasurement[];
}

export interface PlacementView {
  readonly epoch: number;
  readonly verdict: string;
  readonly cell: number;
  readonly reason: string;
}

/**
 * Finds the candidate that a commit prefix names, or the job whose proposal went back to its coder with that commit.
 * @throws NotFoundError, UsageError when it names several.
 */
export async function findByCommit(
  db: Kysely<Tables>,
  prefix: string,
): Promise<{ campaign: CampaignRow; ordinal: number }> {
  const candidates = await candidatesByCommit(db, prefix);
  const found = candidates.length > 0 ? candidates : await revisionsByCommit(db, prefix);
  const commits = new Set(found.map((candidate) => candidate.commit));
  const [first] = found;
  if (first === undefined) throw new NotFoundError(`no candidate has a commit that begins with ${prefix}`);
  if (commits.size > 1) throw new UsageError(`${prefix} is ambiguous: ${[...commits].join(', ')}`);
  return { campaign: await getCampaign(db, first.campaignId), ordinal: first.ordinal };
}

/** @throws NotFoundError when the campaign has no such job. */
export async function readCandidate(db: Kysely<Tables>, row: CampaignRow, ordinal: number): Promise<CandidateView> {
  const { job, candidate, evaluations } = await getJob(db, row.id, ordinal);
  const measured = candidate === undefined ? [] : await listArtifacts(db, row.id, candidate.tree);
  const interrupted = await listInterrupted(db, row.id, ordinal);
  const artifacts = [...measured.filter(({ id }) => interrupted.every((one) => one.id !== id)), ...interrupted];
  const stages = candidate === undefined ? [] : await listStages(db, candidate);
  return {
    campaign: row.name,
    ordinal,
    state: job.state,
    outcome: job.outcome,
    stage: job.stage,
    failureKind: job.failureKind,
    reason: job.reason,
    duplicateOf: job.duplicateOf,
    tries: await triesOf(db, row.id, ordinal),
    title: job.title,
    summary: job.summary,
    commit: candidate?.commit ?? null,
    tree: candidate?.tree ?? null,
    parentCommit: candidate?.parentCommit ?? null,
    changedPaths: candidate?.changedPaths ?? [],
    island: job.island,
    base: job.baseOrdinal,
    inspirations: job.inspirations,
    decision: job.decision,
    winner: row.winner === ordinal,
    staleness: job.staleness,
    lineage: (await ancestry(db, row.id, ordinal)).map(({ ordinal, commit, title, objectives }) => ({
      ordinal,
      commit,
      title,
      objectives,
    })),
    evaluations: evaluations.map((evaluation) => evaluationView(evaluation, stages)),
    scores: await scoresOf(db, row.id, ordinal),
    trials: (await trialsOf(db, row.id, ordinal)).map(({ measurements, ...trial }) => ({
      ...{ number: trial.number, cause: trial.cause, challenger: trial.challenger },
      ...{ incumbent: trial.incumbent, outcome: trial.outcome, measurements: measurements ?? [] },
    })),
    placements: (await placementsOf(db, row.id, ordinal)).map(({ epoch, verdict, cell, reason }) => ({
      epoch,
      verdict,
      cell,
      reason,
    })),
    artifacts: artifacts.map(({ id, name, mediaType, size }) => ({ id, name, mediaType, size })),
    tidiedAt: job.tidiedAt?.toISOString() ?? null,
    brief: job.brief,
    transcript: job.transcript,
    plan: job.plan,
    round: job.round,
    revisions: job.round === 0 ? [] : (await listRevisions(db, row.id, ordinal)).map(revisionView),
    coder: job.coder,
    calls: await callTotals(db, row.id, ordinal),
  };
}

function evaluationView(row: EvaluationRow, stages: readonly StageRow[]): EvaluationView {
  const { split, state, status, kind, objectives, intervals, scores, metrics, identity, summary, evidence } = row;
  const { durationMs, isolation, machine, sharedWith, stdoutTail, stderrTail } = row;
  return {
    ...{ split, state, status, kind, objectives, intervals, scores, metrics, identity, summary, evidence },
    ...{ durationMs, isolation, machine, sharedWith, stdoutTail, stderrTail },
    finishedAt: row.finishedAt?.toISOString() ?? null,
    stages: stages.filter((stage) => stage.split === split).map(stageView),
  };
}

function revisionView({ campaignId: _, ordinal: _ordinal, madeAt, ...rest }: RevisionRow): RevisionView {
  return { ...rest, madeAt: madeAt.toISOString() };
}

function stageView({ campaignId: _, tree: _tree, split: _split, finishedAt, ...rest }: StageRow): StageView {
  return { ...rest, finishedAt: finishedAt.toISOString() };
}
