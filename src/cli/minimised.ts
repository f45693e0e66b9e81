import type { CladeApi, MinimisedSource, PatchCandidate } from '../daemon/index.ts';
import { gainOf } from '../daemon/index.ts';
import type { Extent } from '../git/index.ts';
import {
  type Minimised,
  type MinimisedPart,
  type MinimiseProgress,
  minimise,
  type Workshop,
} from '../pipeline/index.ts';
import { machineLabel } from '../process/index.ts';
import { percent } from './output.ts';

export interface MinimiseOptions {
  readonly evaluations: number;
  readonly tolerance: number;
  /** Told what is going on, a line at a time. */
  readonly say: (line: string) => void;
}

/** What minimising came to, as it stands in proof.json. */
export interface Reduction {
  /** The candidate that it began with. */
  readonly of: { readonly job: number; readonly commit: string; readonly title: string | null };
  /** Whether anything was left out. */
  readonly reduced: boolean;
  /** Whether no single file, hunk or statement can be left out, as far as the measurements say. */
  readonly minimal: boolean;
  readonly tolerance: number;
  readonly evaluations: number;
  /** Over the root in the primary objective, by fresh scores; positive is better. */
  readonly gain: { readonly full: number | null; readonly minimised: number | null };
  readonly before: Extent;
  readonly after: Extent;
}

/** The candidate to hand out in place of another, and how it came about. */
export interface Replacement {
  readonly candidate: PatchCandidate;
  readonly reduction: Reduction;
}

/** Minimises a candidate and enters what is left of it as a job of the campaign. */
export async function minimiseCandidate(
  api: CladeApi,
  workshop: Workshop,
  candidate: PatchCandidate,
  { say, ...options }: MinimiseOptions,
  signal: AbortSignal,
): Promise<Replacement> {
  const { commit, tree, title, ordinal } = candidate;
  const onProgress = (progress: MinimiseProgress): void => say(progressText(progress));
  const minimised = await minimise(workshop, { commit, tree, title, ...options }, onProgress, signal);
  const { part } = minimised;
  const reduction = reductionOf(workshop, candidate, minimised, options.tolerance);
  if (part === null) return { candidate, reduction };
  const entered = await api.enterMinimised(workshop.campaign.name, sourceOf(part, reduction));
  const { candidates } = await api.patchSource(workshop.campaign.name, { kind: 'job', ordinal: entered.job });
  const { objectives } = part.measured.evaluation;
  const made = { ...candidate, ordinal: entered.job, commit: entered.commit, tree: part.tree, title: part.title };
  say(`job ${entered.job} is what is left of job ${ordinal}`);
  // A job that had this tree before may have been refused; then what is known of it is this measurement.
  return { candidate: candidates[0] ?? { ...made, objectives, artifacts: [] }, reduction };
}

function reductionOf(
  { campaign }: Workshop,
  { ordinal, commit, title }: PatchCandidate,
  { part, minimal, root, full, before, evaluations }: Minimised,
  tolerance: number,
): Reduction {
  const [primary] = campaign.evaluator.objectives;
  const gain = (scores: Readonly<Record<string, number>>) =>
    primary === undefined ? null : gainOf(root, scores, primary);
  return {
    of: { job: ordinal, commit, title },
    reduced: part !== null,
    ...{ minimal, tolerance, evaluations, before },
    gain: { full: gain(full), minimised: gain(part?.measured.evaluation.scores ?? full) },
    after: part?.extent ?? before,
  };
}

function sourceOf({ commit, measured }: MinimisedPart, reduction: Reduction): MinimisedSource {
  const { evaluation, durationMs, isolation, machine, stdout, stderr, stages, artifacts } = measured;
  return {
    of: reduction.of.job,
    commit,
    summary: reductionLines(reduction).join('\n'),
    ...{ evaluation, durationMs, isolation, machine, stages },
    label: machineLabel(),
    stdout: stdout.text,
    stderr: stderr.text,
    artifacts: artifacts.map(({ content, ...file }) => ({ ...file, base64: Buffer.from(content).toString('base64') })),
  };
}

function progressText({ evaluation, of, look }: MinimiseProgress): string {
  const what = look === null ? 'to compare with' : `${look.units} of ${look.of} ${look.level}s`;
  return `evaluation ${evaluation} of at most ${of}: ${what}`;
}

/** What a person reads of it. */
export function reductionLines({ of, reduced, minimal, evaluations, gain, before, after }: Reduction): string[] {
  const whole = `job ${of.job}, commit ${of.commit.slice(0, 12)}`;
  const doubt = 'the evaluations were spent: it may not be minimal';
  if (!reduced) {
    const why = minimal ? 'no single file, hunk or statement can be left out' : doubt;
    return [`nothing was left out of ${whole} in ${evaluations} evaluations; ${why}`];
  }
  const why = minimal ? 'no single file, hunk or statement more can be left out' : doubt;
  return [
    `what pays of ${whole}: ${extent(before)} became ${extent(after)}`,
    `gain ${percent(gain.full)} became ${percent(gain.minimised)}, measured beside each other`,
    `${evaluations} evaluations; ${why}`,
  ];
}

function extent({ files, added, deleted }: Extent): string {
  return `${files} ${files === 1 ? 'file' : 'files'} +${added} −${deleted}`;
}
