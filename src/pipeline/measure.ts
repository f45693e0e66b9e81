import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Split } from '../config/index.ts';
import {
  type ArtifactFile,
  type EvaluationHooks,
  type EvaluationRecord,
  type EvaluationRequest,
  evaluate,
  NO_HOOKS,
} from '../evaluator/index.ts';
import { proveCheckout } from '../git/index.ts';
import { type MachineLoad, observeLoad, removeFolder } from '../process/index.ts';
import { checkout, linkedFolders } from './checkout.ts';
import { onOneCpu } from './cpu.ts';
import { placeRoot, prepareLane } from './root.ts';
import type { Workshop } from './workshop.ts';

/** What the evaluator left in CLADE_ARTIFACTS, in memory. */
export interface Artifact {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

export interface Measured extends Omit<EvaluationRecord, 'artifacts'> {
  readonly artifacts: readonly Artifact[];
  /** What else the machine did meanwhile. */
  readonly machine: MachineLoad;
}

/** One evaluation as data. */
export interface MeasureInput {
  readonly commit: string;
  readonly split: Split;
  /** Tells lanes of one campaign apart; each has its own checkouts of candidate and root. */
  readonly lane: string;
  /** What `onOneCpu` gave to a caller that measures more than once; absent: this measurement leases its own. */
  readonly cpu?: number | null;
}

/**
 * Checks the commit out in the lane, beside a checkout of the root, and runs the evaluator on it.
 * @throws InterruptedError, InfrastructureError (exit 75, a checkout that cannot be proved, a failing `target.setup` or
 * `evaluator.prepare`).
 */
export async function measure(
  workshop: Workshop,
  input: MeasureInput,
  signal: AbortSignal,
  hooks: EvaluationHooks = NO_HOOKS,
): Promise<Measured> {
  const candidate = join(workshop.folders.lanes, `evaluate-${input.lane}`, 'candidate');
  const [rootCheckout] = await Promise.all([
    placeRoot(workshop, input, signal),
    checkout(workshop, candidate, input.commit, signal),
  ]);
  const measured = await measureBeside(workshop, { candidate, rootCheckout, input, hooks }, signal);
  return { ...measured, notes: [...measured.notes, ...(await changesDuring(workshop, candidate, input.commit))] };
}

/**
 * Whether the checkout still is the commit. A build may write files of its own and some rewrite tracked ones, so it is the
 * evaluator's to judge and ours to say.
 */
async function changesDuring({ hub, campaign }: Workshop, checkout: string, commit: string): Promise<string[]> {
  try {
    await proveCheckout(hub, checkout, commit, { keep: campaign.target.link, untracked: 'allowed' });
    return [];
  } catch (error) {
    // It may even be gone: what an evaluator does to its checkout is no fault of the machine.
    return [`after the evaluation: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Like `measure`, in a checkout of the commit that the caller made, such as a fresh clone with a patch applied. */
export async function measureIn(
  workshop: Workshop,
  candidate: string,
  input: MeasureInput,
  signal: AbortSignal,
): Promise<Measured> {
  const rootCheckout = await placeRoot(workshop, input, signal);
  return measureBeside(workshop, { candidate, rootCheckout, input, hooks: NO_HOOKS }, signal);
}

interface Measurement {
  readonly candidate: string;
  readonly rootCheckout: string;
  readonly input: MeasureInput;
  readonly hooks: EvaluationHooks;
}

async function measureBeside(
  workshop: Workshop,
  { candidate, rootCheckout, input, hooks }: Measurement,
  signal: AbortSignal,
): Promise<Measured> {
  const { campaign, folders, root, bundle } = workshop;
  const scratch = join(folders.scratch, `evaluate-${input.lane}`);
  await removeFolder(scratch);
  await mkdir(scratch, { recursive: true });
  const cache = join(folders.cache, input.split);
  await mkdir(cache, { recursive: true });
  const run = async (cpu: number | null): Promise<Measured> => {
    const request: EvaluationRequest = {
      campaign,
      bundle: bundle.dir,
      checkout: candidate,
      rootCheckout,
      prepared: campaign.evaluator.prepare !== null,
      commit: input.commit,
      rootCommit: root.commit,
      split: input.split,
      seed: campaign.search.seed,
      cpus: cpu === null ? [] : [cpu],
      scratch,
      cache,
      readOnly: linkedFolders(workshop),
    };
    await prepareLane(workshop, request, signal);
    const load = observeLoad(cpu);
    const record = await evaluate(request, hooks, signal);
    return { ...record, machine: load.finish(), artifacts: await Promise.all(record.artifacts.map(contentOf)) };
  };
  try {
    return await (input.cpu === undefined ? onOneCpu(campaign.evaluator.cpus, signal, run) : run(input.cpu));
  } finally {
    await removeFolder(scratch);
  }
}

async function contentOf({ name, type, path }: ArtifactFile): Promise<Artifact> {
  return { name, mediaType: type, content: await readFile(path) };
}
