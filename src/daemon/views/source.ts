import type { Kysely } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import type { Imported } from '../../git/index.ts';
import { type CampaignRow, type Json, listArtifacts, type Numbers, type Tables } from '../../store/index.ts';
import { readArchive } from './archive.ts';
import { readCandidate } from './candidate.ts';

/** All that making patches of a campaign needs to know besides its hub on this machine; plain JSON. */
export interface PatchSource {
  readonly name: string;
  readonly directory: string;
  readonly frozen: Json;
  readonly live: Json;
  readonly root: Imported;
  readonly bundleHash: string;
  readonly rootObjectives: Numbers | null;
  readonly candidates: readonly PatchCandidate[];
}

/** A candidate that may be handed out. */
export interface PatchCandidate {
  readonly ordinal: number;
  readonly commit: string;
  readonly tree: string;
  readonly title: string | null;
  readonly objectives: Numbers;
  readonly artifacts: readonly { readonly id: number; readonly name: string }[];
}

/** Which candidates are wanted. */
export type PatchChoice =
  | { readonly kind: 'best' }
  | { readonly kind: 'job'; readonly ordinal: number }
  | { readonly kind: 'front' };

/** Reads the candidates with the given ordinals, or every member of every front. Candidates without a valid evaluation are left out. */
export async function readPatchSource(
  db: Kysely<Tables>,
  row: CampaignRow,
  campaign: Campaign,
  choice: Exclude<PatchChoice, { kind: 'best' }>,
): Promise<PatchSource> {
  const wanted =
    choice.kind === 'front'
      ? (await readArchive(db, row, campaign)).elites.map((elite) => elite.ordinal)
      : [choice.ordinal];
  const candidates: PatchCandidate[] = [];
  for (const ordinal of wanted) {
    const found = await candidateOf(db, row, ordinal);
    if (found !== null && ordinal !== 0) candidates.push(found);
  }
  return {
    name: row.name,
    directory: row.directory,
    frozen: row.frozen,
    live: row.live,
    root: { commit: row.rootCommit, tree: row.rootTree },
    bundleHash: row.bundleHash,
    rootObjectives: (await candidateOf(db, row, 0))?.objectives ?? null,
    candidates,
  };
}

async function candidateOf(db: Kysely<Tables>, row: CampaignRow, ordinal: number): Promise<PatchCandidate | null> {
  const view = await readCandidate(db, row, ordinal);
  const train = view.evaluations.find((evaluation) => evaluation.split === 'train');
  if (view.commit === null || view.tree === null || train === undefined || train.objectives === null) return null;
  const artifacts = await listArtifacts(db, row.id, view.tree);
  return {
    ordinal,
    commit: view.commit,
    tree: view.tree,
    title: view.title,
    objectives: train.objectives,
    artifacts: artifacts.map(({ id, name }) => ({ id, name })),
  };
}
