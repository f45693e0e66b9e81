import type { Kysely, Transaction } from 'kysely';
import type { Campaign } from '../config/index.ts';
import { ConflictError } from '../errors.ts';
import type { Stage, ValidEvaluation } from '../evaluator/index.ts';
import { candidateRef, changesBetween, extentOf, readCommit, updateRef } from '../git/index.ts';
import { type Describer, openDescriber, openWorkshop, type Workshop } from '../pipeline/index.ts';
import type { MachineLoad } from '../process/index.ts';
import {
  appendEvents,
  type CampaignRow,
  claimEvaluation,
  type EvaluationKey,
  ensurePendingEvaluation,
  finishEvaluation,
  getJob,
  insertArtifacts,
  jobOfTree,
  type NewSeed,
  noteIsolation,
  planMinimised,
  putRepositoryVector,
  recordStage,
  reserveOrdinal,
  type Tables,
  vectorCache,
} from '../store/index.ts';
import { recall } from './memory.ts';
import { looseEmbeddings } from './models/index.ts';
import { settleReady } from './settle.ts';

/** What is left of a candidate, with the measurement that confirmed it; plain JSON. */
export interface MinimisedSource {
  /** The job that it was made of. */
  readonly of: number;
  /** On the root, in the hub, under a ref. */
  readonly commit: string;
  /** What was left out. */
  readonly summary: string;
  readonly evaluation: ValidEvaluation;
  readonly durationMs: number;
  readonly isolation: number;
  /** What else the machine did meanwhile. */
  readonly machine: MachineLoad;
  /** What that machine measures like. */
  readonly label: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly stages: readonly Stage[];
  readonly artifacts: readonly { readonly name: string; readonly mediaType: string; readonly base64: string }[];
}

/** The job that a minimised candidate is; plain JSON. */
export interface MinimisedView {
  readonly campaign: string;
  readonly job: number;
  readonly commit: string;
  readonly tree: string;
  /** False when a job had this tree before: then it is that one. */
  readonly added: boolean;
}

/** A campaign of a workspace as the database knows it. */
export interface Known {
  readonly db: Kysely<Tables>;
  readonly workspace: string;
  readonly row: CampaignRow;
  readonly campaign: Campaign;
}

/**
 * Enters a minimised candidate as a job that is measured already and that no budget is charged for. It is settled like any
 * other, in its turn, and whatever state the campaign is in.
 * @throws ConflictError when the commit is not one on the root.
 */
export async function enterMinimised(
  known: Known,
  source: MinimisedSource,
  signal: AbortSignal,
): Promise<MinimisedView> {
  const { db, row } = known;
  if (row.label !== null && row.label !== source.label) {
    throw new ConflictError(`"${row.name}" is measured on ${row.label}, and this was measured on ${source.label}`, {
      hint: 'minimise there: measurements of different machines are not compared',
    });
  }
  const { workshop, describer } = await openDesk(known, signal);
  const { job: whole, candidate } = await getJob(db, row.id, source.of);
  if (candidate === undefined) throw new ConflictError(`job ${source.of} of "${row.name}" has no candidate`);
  const seed = await seedOf(workshop, source.commit, candidate.commit);
  const { commit, tree } = seed;
  const vector = await describer.step({ commit: row.rootCommit, vector: describer.root }, commit, signal);
  const entered = await db.transaction().execute(async (trx) => {
    // Before the look at the trees, so that nobody enters one in between.
    const ordinal = await reserveOrdinal(trx, row.id);
    const job = await jobOfTree(trx, row.id, tree);
    if (job !== null) return { job, added: false };
    const decision = { policy: 'minimised', of: source.of, commit: candidate.commit };
    const place = { ordinal, island: whole.island, parentCommit: row.rootCommit, decision, summary: source.summary };
    await planMinimised(trx, row.id, seed, place);
    await appendEvents(trx, [{ campaignId: row.id, kind: 'job.minimised', ordinal, data: decision }]);
    await record(trx, { campaignId: row.id, tree, split: 'train' }, source, { commit, ordinal });
    await putRepositoryVector(trx, { campaignId: row.id, provider: describer.provider.id, tree }, vector);
    await updateRef(workshop.hub, candidateRef(row.name, ordinal), commit);
    return { job: ordinal, added: true };
  });
  const { candidate: kept } = await getJob(db, row.id, entered.job);
  return { campaign: row.name, commit: kept?.commit ?? commit, tree, ...entered };
}

/**
 * Settles a job of a campaign that nobody works on, if it is its turn: a batch that was interrupted comes first, when the
 * campaign goes on.
 */
export async function settleAside(known: Known, ordinal: number, signal: AbortSignal): Promise<void> {
  const { db, row, campaign } = known;
  if ((await getJob(db, row.id, ordinal)).job.settlement !== null) return;
  const { describer } = await openDesk(known, signal);
  // What it asks for finds its way into the queue when the campaign goes on: the rows are the truth.
  const queue = { enqueue: async () => {} };
  const court = { store: { db }, lead: null, queue, campaignId: row.id, campaign, describer };
  const memory = await recall(court);
  while ((await settleReady(court, memory, { onSettled: () => {}, signal })).more);
}

interface Desk {
  readonly workshop: Workshop;
  readonly describer: Describer;
}

async function openDesk({ db, workspace, row, campaign }: Known, signal: AbortSignal): Promise<Desk> {
  const pinned = { root: { commit: row.rootCommit, tree: row.rootTree }, bundleHash: row.bundleHash };
  const workshop = await openWorkshop(workspace, campaign, pinned);
  const access = looseEmbeddings(campaign.search.descriptor.provider, process.env);
  return { workshop, describer: await openDescriber(workshop, { cache: vectorCache(db), access }, signal) };
}

/** @param of the commit that it was made of */
async function seedOf({ hub, root }: Workshop, commit: string, of: string): Promise<NewSeed> {
  const { tree, parents, message } = await readCommit(hub, commit);
  if (parents.length !== 1 || parents[0] !== root.commit) {
    throw new ConflictError(`${commit} is not one commit on the root ${root.commit}`);
  }
  const changes = await changesBetween(hub, root.commit, commit);
  const [title = ''] = message.split('\n', 1);
  return {
    ...{ tree, commit, title, source: of },
    ...extentOf(changes),
    changedPaths: changes.map((change) => change.path),
  };
}

/** Writes the measurement as that of the tree. */
async function record(
  trx: Transaction<Tables>,
  key: EvaluationKey,
  { evaluation, durationMs, isolation, machine, label, stdout, stderr, stages, artifacts }: MinimisedSource,
  asked: { readonly commit: string; readonly ordinal: number },
): Promise<void> {
  await ensurePendingEvaluation(trx, key, asked);
  const claimed = await claimEvaluation(trx, key, { worker: 'minimise', label });
  if (claimed === undefined) throw new ConflictError(`the tree ${key.tree} is being measured`);
  for (const { stdout, stderr, ...stage } of stages) {
    await recordStage(trx, claimed, { ...stage, stdoutTail: stdout, stderrTail: stderr });
  }
  const measured = { durationMs: Math.round(durationMs), isolation, machine, stdoutTail: stdout, stderrTail: stderr };
  await finishEvaluation(trx, claimed, { ...evaluation, ...measured });
  const files = artifacts.map(({ base64, ...file }) => ({ ...file, content: Buffer.from(base64, 'base64') }));
  await insertArtifacts(trx, { campaignId: key.campaignId, ordinal: asked.ordinal, tree: key.tree }, files);
  await noteIsolation(trx, key.campaignId, isolation);
}
