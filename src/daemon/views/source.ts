import type { Kysely } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import type { Imported } from '../../git/index.ts';
import { frontOf, orient } from '../../qd/index.ts';
import {
  bestCandidates,
  type CampaignRow,
  type Json,
  listArtifacts,
  type Numbers,
  type Tables,
} from '../../store/index.ts';
import { beats } from '../gain.ts';
import { type Elite, readArchive } from './archive.ts';
import { readCandidate } from './candidate.ts';

/** What a campaign is: with its hub on this machine enough to work on it elsewhere than in the daemon. Plain JSON. */
export interface CampaignSource {
  readonly name: string;
  readonly directory: string;
  readonly frozen: Json;
  readonly live: Json;
  readonly root: Imported;
  readonly bundleHash: string;
}

export function sourceOf(row: CampaignRow): CampaignSource {
  return {
    name: row.name,
    directory: row.directory,
    frozen: row.frozen,
    live: row.live,
    root: { commit: row.rootCommit, tree: row.rootTree },
    bundleHash: row.bundleHash,
  };
}

/** All that making patches of a campaign needs to know. */
export interface PatchSource extends CampaignSource {
  /** The ordinal that the finals chose, 0 is the root; null without finals. */
  readonly winner: number | null;
  readonly rootObjectives: Numbers | null;
  readonly rootScores: Numbers | null;
  readonly rootArtifacts: PatchCandidate['artifacts'];
  readonly candidates: readonly PatchCandidate[];
}

/** A candidate that may be handed out. */
export interface PatchCandidate {
  readonly ordinal: number;
  readonly commit: string;
  readonly tree: string;
  readonly title: string | null;
  /** As first measured. */
  readonly objectives: Numbers;
  /** What it is ranked by. */
  readonly scores: Numbers;
  readonly artifacts: readonly { readonly id: number; readonly name: string }[];
}

/** Which candidates are wanted. */
export type PatchChoice =
  | { readonly kind: 'best' }
  | { readonly kind: 'job'; readonly ordinal: number }
  | { readonly kind: 'front' };

/**
 * Reads the best candidate, the candidate of a job, or those that no other member of the archive dominates. The best is the
 * winner of the finals, where they chose one, else the best of train if it beats the root by more than ε. Candidates
 * without a valid evaluation are left out, and so is the root.
 */
export async function readPatchSource(
  db: Kysely<Tables>,
  row: CampaignRow,
  campaign: Campaign,
  choice: PatchChoice,
): Promise<PatchSource> {
  const root = await candidateOf(db, row, 0);
  const candidates: PatchCandidate[] = [];
  for (const ordinal of await wanted(db, row, campaign, choice)) {
    const found = await candidateOf(db, row, ordinal);
    if (found === null || ordinal === 0) continue;
    // A best that is within ε of the root is noise; only who asks for that very job gets it.
    const chosen = choice.kind !== 'best' || row.winner !== null;
    if (chosen || improves(found, root, campaign)) candidates.push(found);
  }
  return {
    ...sourceOf(row),
    winner: row.winner,
    rootObjectives: root?.objectives ?? null,
    rootScores: root?.scores ?? null,
    rootArtifacts: root?.artifacts ?? [],
    candidates,
  };
}

async function candidateOf(db: Kysely<Tables>, row: CampaignRow, ordinal: number): Promise<PatchCandidate | null> {
  const view = await readCandidate(db, row, ordinal);
  const train = view.evaluations.find((evaluation) => evaluation.split === 'train');
  const objectives = train?.objectives ?? null;
  if (view.commit === null || view.tree === null || objectives === null || view.scores === null) return null;
  const artifacts = await listArtifacts(db, row.id, view.tree);
  return {
    ordinal,
    commit: view.commit,
    tree: view.tree,
    title: view.title,
    objectives,
    scores: view.scores,
    artifacts: artifacts.map(({ id, name }) => ({ id, name })),
  };
}

async function wanted(
  db: Kysely<Tables>,
  row: CampaignRow,
  campaign: Campaign,
  choice: PatchChoice,
): Promise<readonly number[]> {
  const [primary] = campaign.evaluator.objectives;
  if (choice.kind === 'job') return [choice.ordinal];
  if (choice.kind === 'best' && row.winner !== null) return [row.winner];
  if (choice.kind === 'front') return nonDominated((await readArchive(db, row, campaign)).elites, campaign);
  return primary === undefined ? [] : (await bestCandidates(db, row.id, primary, 1)).map((best) => best.ordinal);
}

function improves(found: PatchCandidate, root: PatchCandidate | null, { evaluator }: Campaign): boolean {
  const [primary] = evaluator.objectives;
  return primary !== undefined && beats(found.scores, root?.scores, primary);
}

/** The front over all cells: a cell's own front also keeps what is only good for its place. */
function nonDominated(elites: readonly Elite[], campaign: Campaign): number[] {
  const { objectives } = campaign.evaluator;
  const members = elites.map(({ ordinal, scores }) => ({ ordinal, point: orient(objectives, scores) }));
  const epsilons = objectives.map((objective) => objective.epsilon);
  return frontOf(members, { rule: 'box', epsilons, capacity: elites.length }).map((member) => member.ordinal);
}
