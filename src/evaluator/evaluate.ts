import type { Campaign, EvaluatorStep, Split } from '../config/index.ts';
import type { Captured, IsolationLevel, RunResult } from '../process/index.ts';
import { type ArtifactFile, collectArtifacts } from './artifacts.ts';
import { clip, type Evaluation, invalid } from './evaluation.ts';
import { complete, type Findings, merge, NO_FINDINGS } from './findings.ts';
import { visibilityOf } from './hidden.ts';
import { laneFor } from './lane.ts';
import { outcomeOf, type StepOutcome } from './outcome.ts';
import { unmet } from './require.ts';
import { type Ground, runStep } from './run-step.ts';
import type { EvaluationHooks, Stage } from './stage.ts';

/** One measurement. All paths are absolute. */
export interface EvaluationRequest {
  readonly campaign: Pick<Campaign, 'directory' | 'target' | 'evaluator' | 'sandbox' | 'limits'>;
  /** The pinned copy of the campaign's files, seen read-only. */
  readonly bundle: string;
  /** A fresh checkout of the candidate; it may be built in. Whoever made it proves its tree before and after. */
  readonly checkout: string;
  /** A checkout of the root, kept between the evaluations of one lane. */
  readonly rootCheckout: string;
  /** Whether `evaluator.prepare` ran in the root checkout and the cache: then both are read-only. */
  readonly prepared: boolean;
  readonly commit: string;
  readonly rootCommit: string;
  readonly split: Split;
  readonly seed: number;
  readonly cpus: readonly number[];
  /** An empty folder outside the checkout, of this evaluation alone; artifacts stay in it until they are stored. */
  readonly scratch: string;
  /** Kept for the campaign and the split on this machine. */
  readonly cache: string;
  /** What links in the checkouts point to. */
  readonly readOnly?: readonly string[];
}

export interface EvaluationRecord {
  readonly evaluation: Evaluation;
  /** True when `onStage` gave an earlier measurement of the same identity, which `evaluation` then is. */
  readonly shared: boolean;
  /** Of all steps that ran. */
  readonly durationMs: number;
  /** The lowest that a step had. */
  readonly isolation: IsolationLevel;
  /** Of the last step that ran. */
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly artifacts: readonly ArtifactFile[];
  /** What was not as it should be without being the candidate's fault: no pinning, nothing masked, a limit not kept, artifacts left out. */
  readonly notes: readonly string[];
}

/** How much of each stream is kept for reading, in UTF-16 units. */
const OUTPUT_LENGTH = 128 * 2 ** 10;
const STAGE_OUTPUT_LENGTH = 16 * 2 ** 10;
const FENCING_LEVEL = 2;

/**
 * Runs the steps of the campaign's evaluator in order on a checkout; the first failure decides.
 *
 * @throws InfrastructureError when the machine failed (exit 75, no start, no required sandbox); InterruptedError when
 * `signal` ended it.
 */
export async function evaluate(
  request: EvaluationRequest,
  hooks: EvaluationHooks,
  signal: AbortSignal,
): Promise<EvaluationRecord> {
  const { objectives, steps } = request.campaign.evaluator;
  const lane = await laneFor(request.cpus);
  const ground = groundOf(request, lane.prefix);
  const passed: Stage[] = [];
  const notes = new Set(lane.notes);
  let found = NO_FINDINGS;
  let durationMs = 0;
  let isolation: IsolationLevel = 3;
  for (const [position, step] of steps.entries()) {
    const { result, written, artifacts } = await runStep(request, step, ground, signal);
    const ended = outcomeOf(step, result, written, objectives);
    const reported = ended.status === 'passed' ? ended.findings : NO_FINDINGS;
    const known = merge(found, reported);
    const outcome = checked(step, ended, known);
    const stage = stageOf(position, step, result, reported, outcome);
    durationMs += result.durationMs;
    for (const note of result.notes) notes.add(note);
    isolation = result.isolation < isolation ? result.isolation : isolation;
    const answer = await hooks.onStage(stage);
    const last = position === steps.length - 1;
    const shared = outcome.status === 'passed' && !last && answer !== null ? answer.shared : null;
    if (outcome.status === 'passed' && !last && shared === null) {
      found = known;
      passed.push(stage);
      continue;
    }
    const collected = await collectArtifacts(artifacts);
    return {
      evaluation: shared ?? verdict(outcome, known, passed, objectives),
      shared: shared !== null,
      durationMs,
      isolation,
      stdout: forTheRecord(result.stdout),
      stderr: forTheRecord(result.stderr),
      artifacts: collected.files,
      notes: [...notes, ...unfenced(request, ground, isolation), ...collected.notes],
    };
  }
  throw new RangeError('an evaluator has at least one step');
}

function groundOf(
  { campaign, checkout, rootCheckout, cache, split, prepared, readOnly = [] }: EvaluationRequest,
  prefix: Ground['prefix'],
): Ground {
  const kept = [rootCheckout, cache];
  return {
    cwd: checkout,
    visibility: visibilityOf(campaign, split, [checkout, rootCheckout, ...readOnly]),
    prefix,
    writable: prepared ? [checkout] : [checkout, ...kept],
    readOnly: prepared ? kept : [],
  };
}

/** A step that passed has failed all the same when what is known by then is out of its ranges. */
function checked(step: EvaluatorStep, ended: StepOutcome, known: Findings): StepOutcome {
  const refusal = ended.status === 'passed' ? unmet(step, known) : null;
  return refusal === null ? ended : { status: 'failed', evaluation: refusal };
}

function stageOf(
  position: number,
  { name, kind }: EvaluatorStep,
  { stdout, stderr, durationMs, isolation, peakMemoryBytes }: RunResult,
  { objectives, metrics, identity, summary, evidence }: Findings,
  outcome: StepOutcome,
): Stage {
  const failure = outcome.status === 'failed' ? outcome.evaluation : null;
  return {
    position,
    name,
    kind: failure?.kind ?? kind,
    status: outcome.status,
    summary: failure?.summary ?? summary,
    evidence: failure?.evidence ?? evidence,
    ...{ objectives, metrics, identity },
    stdout: clip(stdout.text, STAGE_OUTPUT_LENGTH),
    stderr: clip(stderr.text, STAGE_OUTPUT_LENGTH),
    ...{ durationMs, isolation, peakMemoryBytes },
  };
}

function verdict(
  outcome: StepOutcome,
  known: Findings,
  passed: readonly Stage[],
  objectives: Campaign['evaluator']['objectives'],
): Evaluation {
  if (outcome.status === 'passed') return complete(known, objectives, known.evidence);
  const { kind, summary, evidence } = outcome.evaluation;
  if (passed.length === 0) return outcome.evaluation;
  return invalid(kind, summary, `Passed before: ${passed.map(told).join('; ')}\n\n${evidence}`);
}

/** A step that passed, with what it reported. */
function told({ name, summary, objectives, metrics }: Stage): string {
  const numbers = Object.entries({ ...metrics, ...objectives }).map(([key, value]) => `${key} ${value}`);
  const reported = [summary, numbers.join(', ')].filter((text) => text !== '').join(', ');
  return reported === '' ? name : `${name} (${reported})`;
}

/** What only a sandbox can keep from a candidate. */
function unfenced({ prepared }: EvaluationRequest, { visibility }: Ground, isolation: IsolationLevel): string[] {
  if (isolation >= FENCING_LEVEL) return [];
  const notes: string[] = [];
  const why = `isolation level ${isolation}, which takes ${FENCING_LEVEL} (bubblewrap)`;
  if (visibility.masked.length > 0) notes.push(`the hidden data of other splits was not masked: ${why}`);
  if (prepared) notes.push(`the root checkout and the cache were not read-only: ${why}`);
  return notes;
}

function forTheRecord(captured: Captured): Captured {
  const text = clip(captured.text, OUTPUT_LENGTH);
  return { ...captured, text, truncated: captured.truncated || text !== captured.text };
}
