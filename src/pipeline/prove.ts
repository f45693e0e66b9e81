import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConflictError, GitError } from '../errors.ts';
import type { Evaluation } from '../evaluator/index.ts';
import {
  carryOnto,
  formatSeries,
  formatSquashed,
  type Imported,
  lineage,
  type Patch,
  provePatch,
  readCommit,
} from '../git/index.ts';
import { furnish } from './checkout.ts';
import type { CampaignFolders } from './folders.ts';
import { type Artifact, type Measured, measure, measureIn } from './measure.ts';
import { prepareRoot } from './prepare.ts';
import { fetchedFrom, type Workshop } from './workshop.ts';

export interface ProofRequest {
  readonly commit: string;
  /** The tree that the patches must give. */
  readonly tree: string;
  /** One patch for the whole difference, not one for each step. */
  readonly squash: boolean;
  /** Another revision of the target to carry the patches to; null proves them on the root. */
  readonly onto: string | null;
}

/** Patches that were applied in a fresh clone, gave the tree they should, and passed the evaluator there. */
export interface ProvedPatch {
  readonly patches: readonly Patch[];
  /** What they apply to. */
  readonly root: Imported;
  readonly tree: string;
  /** The evaluation in the fresh clone. */
  readonly evaluation: Extract<Evaluation, { status: 'valid' }>;
  /** The evaluation of what they apply to, made for `onto` only: the root of the campaign was measured before. */
  readonly ontoEvaluation: Extract<Evaluation, { status: 'valid' }> | null;
  readonly artifacts: readonly Artifact[];
}

/** A lane of its own, so that a running campaign is not disturbed. */
const LANE = 'patch';

/**
 * Makes the patches of a candidate and proves them.
 * @throws ConflictError when they do not apply, give another tree, or do not pass the evaluator: then nothing is handed out.
 */
export async function prove(workshop: Workshop, request: ProofRequest, signal: AbortSignal): Promise<ProvedPatch> {
  const ground = request.onto === null ? { workshop, ...request } : await carry(workshop, request, request.onto);
  const { hub, root, folders } = ground.workshop;
  await prepareRoot(ground.workshop, signal);
  const patches = request.squash
    ? await formatSquashed(hub, root.commit, ground.commit, await squashMessage(ground))
    : await formatSeries(hub, root.commit, ground.commit);
  const clone = join(folders.lanes, `evaluate-${LANE}`, 'clone');
  await rm(clone, { recursive: true, force: true });
  try {
    const tree = await applied(ground.workshop, patches, ground.tree, clone);
    await furnish(ground.workshop, clone, signal);
    const input = { commit: ground.commit, split: 'train', lane: LANE } as const;
    const measured = await measureIn(ground.workshop, clone, input, signal);
    const evaluation = accepted(measured, 'in the fresh clone');
    const upstream =
      request.onto === null
        ? null
        : accepted(await measure(ground.workshop, { ...input, commit: root.commit }, signal), `at ${request.onto}`);
    return { patches, root, tree, evaluation, ontoEvaluation: upstream, artifacts: measured.artifacts };
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}

interface Ground {
  readonly workshop: Workshop;
  readonly commit: string;
  readonly tree: string;
}

/** The same workshop with the newer revision in the root's place, and the candidate carried to it. */
async function carry(workshop: Workshop, { commit }: ProofRequest, onto: string): Promise<Ground> {
  const { campaign, hub, root, folders } = workshop;
  const carried = await carryOnto(hub, {
    campaign: campaign.name,
    repository: fetchedFrom(campaign.target),
    root: root.commit,
    winner: commit,
    onto,
  });
  if (carried.kind === 'conflict') {
    const files = carried.conflicts.map(({ path, text }) => `--- ${path}\n${text}`.trimEnd());
    throw new ConflictError(`the candidate does not apply to ${onto} (${carried.onto}):\n${files.join('\n')}`, {
      hint: 'start a campaign from that revision with the candidate as its inspiration, or resolve it by hand',
    });
  }
  const { tree, authorSeconds } = await readCommit(hub, carried.onto);
  return {
    workshop: {
      ...workshop,
      root: { commit: carried.onto, tree },
      rootSeconds: authorSeconds,
      folders: elsewhere(folders, carried.onto.slice(0, 12)),
    },
    commit: carried.commit,
    tree: carried.tree,
  };
}

/** What is prepared for another root is kept apart from what evaluations of the campaign go on to use. */
function elsewhere(folders: CampaignFolders, name: string): CampaignFolders {
  return { ...folders, prepared: `${folders.prepared}-${name}`, cache: join(folders.cache, `onto-${name}`) };
}

/** A squashed patch tells of every step, not of the last one alone. */
async function squashMessage({ workshop, commit }: Ground): Promise<string> {
  const { hub, root, campaign } = workshop;
  const steps = await lineage(hub, root.commit, commit);
  const titles = await Promise.all(
    steps.map(async (step) => (await readCommit(hub, step)).message.split('\n', 1).join('')),
  );
  const count = steps.length === 1 ? 'one step' : `${steps.length} steps`;
  return `Evolve ${campaign.name} in ${count}\n\n${titles.map((title) => `- ${title}`).join('\n')}\n`;
}

async function applied(
  { hub, root }: Workshop,
  patches: readonly Patch[],
  wanted: string,
  clone: string,
): Promise<string> {
  let tree: string;
  try {
    ({ tree } = await provePatch(hub, { root: root.commit, patches, dir: clone }));
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    throw new ConflictError(`the patches do not apply in a fresh clone of ${root.commit}:\n${cause.stderr}`, { cause });
  }
  if (tree !== wanted) {
    throw new ConflictError(`applied in a fresh clone the patches give the tree ${tree}, not ${wanted}`);
  }
  return tree;
}

function accepted({ evaluation }: Measured, where: string): Extract<Evaluation, { status: 'valid' }> {
  if (evaluation.status === 'valid') return evaluation;
  throw new ConflictError(`the evaluator refuses it ${where} (${evaluation.kind}): ${evaluation.summary}`, {
    hint: evaluation.evidence,
  });
}
