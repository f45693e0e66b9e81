import type { Campaign, Split } from '../config/index.ts';
import { InfrastructureError } from '../errors.ts';
import { type Captured, findExecutable, type IsolationLevel, type RunResult, run } from '../process/index.ts';
import { type ArtifactFile, collectArtifacts } from './artifacts.ts';
import { resolveCommand } from './command.ts';
import { contractEnvironment, makePlaces } from './contract.ts';
import { clip, type Evaluation } from './evaluation.ts';
import { laneFor } from './lane.ts';
import { outcomeOf } from './outcome.ts';
import { MAX_RESULT_BYTES } from './parse-result.ts';
import { readResultFile } from './result-file.ts';

/** One measurement. All paths are absolute. */
export interface EvaluationRequest {
  readonly campaign: Pick<Campaign, 'directory' | 'evaluator' | 'sandbox'>;
  /** The pinned copy of the campaign's files, seen read-only. */
  readonly bundle: string;
  /** A fresh checkout of the candidate; it may be built in. Whoever made it proves its tree before and after. */
  readonly checkout: string;
  /** A checkout of the root, kept between the evaluations of one lane. */
  readonly rootCheckout: string;
  readonly commit: string;
  readonly rootCommit: string;
  readonly split: Split;
  readonly seed: number;
  readonly cpus: readonly number[];
  /** An empty folder outside the checkout, of this evaluation alone; artifacts stay in it until they are stored. */
  readonly scratch: string;
  /** Kept for the campaign on this machine. */
  readonly cache: string;
  /** What links in the checkouts point to. */
  readonly readOnly?: readonly string[];
}

export interface EvaluationRecord {
  readonly evaluation: Evaluation;
  readonly durationMs: number;
  readonly isolation: IsolationLevel;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly artifacts: readonly ArtifactFile[];
  /** What was not as it should be without being the candidate's fault: no pinning, artifacts left out. */
  readonly notes: readonly string[];
}

/** A result in the last line of stdout must be whole, with room for what was printed before. */
const CAPTURE = { headBytes: 64 * 2 ** 10, tailBytes: MAX_RESULT_BYTES + 64 * 2 ** 10 };

/** How much of each stream is kept for reading, in UTF-16 units. */
const OUTPUT_LENGTH = 128 * 2 ** 10;

/**
 * Runs the campaign's evaluator once on a checkout.
 *
 * @throws InfrastructureError when the machine failed (exit 75, no start, no required sandbox); InterruptedError when
 * `signal` ended it.
 */
export async function evaluate(request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationRecord> {
  const places = await makePlaces(request.scratch);
  const env = contractEnvironment(request, places);
  const [program, ...rest] = await resolveCommand(request.campaign.evaluator.steps[0]?.command ?? [], request.bundle);
  const found = await findExecutable(program, env.PATH ?? '', request.checkout);
  // Behind taskset a missing evaluator would be an exit code, held against the candidate.
  if (found === null) throw new InfrastructureError(`the evaluator ${program} is not there or not executable`);
  const lane = await laneFor(request.cpus, env.PATH ?? '');
  const command = [found, ...rest] as const;
  const argv = lane.prefix === null ? command : ([...lane.prefix, ...command] as const);
  const result = await runEvaluator(request, env, argv, signal);
  const written = await readResultFile(places.result);
  const evaluation = outcomeOf(result, written, request.campaign.evaluator.objectives);
  const artifacts = await collectArtifacts(places.artifacts);
  return {
    evaluation,
    durationMs: result.durationMs,
    isolation: result.isolation,
    stdout: forTheRecord(result.stdout),
    stderr: forTheRecord(result.stderr),
    artifacts: artifacts.files,
    notes: [...lane.notes, ...artifacts.notes],
  };
}

function forTheRecord(captured: Captured): Captured {
  const text = clip(captured.text, OUTPUT_LENGTH);
  return { ...captured, text, truncated: captured.truncated || text !== captured.text };
}

function runEvaluator(
  request: EvaluationRequest,
  env: Record<string, string>,
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<RunResult> {
  const { evaluator, sandbox } = request.campaign;
  return run({
    argv,
    cwd: request.checkout,
    env,
    timeoutMs: evaluator.timeoutMs,
    graceMs: evaluator.graceMs,
    signal,
    capture: CAPTURE,
    sandbox: {
      mode: sandbox,
      network: evaluator.network,
      readOnly: [request.bundle, ...evaluator.hidden.map(({ path }) => path), ...(request.readOnly ?? [])],
      writable: [request.checkout, request.rootCheckout, request.scratch, request.cache],
      hidden: [],
    },
  });
}
