import type { EvaluatorStep } from '../config/index.ts';
import { InfrastructureError } from '../errors.ts';
import { findExecutable, type RunResult, redactor, run } from '../process/index.ts';
import { resolveCommand } from './command.ts';
import { contractEnvironment, makePlaces } from './contract.ts';
import type { EvaluationRequest } from './evaluate.ts';
import type { Visibility } from './hidden.ts';
import { MAX_RESULT_BYTES } from './parse-result.ts';
import { readResultFile } from './result-file.ts';

/** A command of the evaluator: a step, or what prepares for them. */
export type Command = Pick<EvaluatorStep, 'name' | 'command' | 'timeoutMs'>;

/** Where a command of the evaluator runs and what it sees besides the contract. */
export interface Ground {
  readonly cwd: string;
  readonly visibility: Visibility;
  /** argv that keeps it on its CPUs. */
  readonly prefix: readonly string[];
  /** Besides its own folder and the artifacts. */
  readonly writable: readonly string[];
  /** Besides the bundle, what is shown of the hidden paths, and what links point to. */
  readonly readOnly: readonly string[];
}

/** Its texts are free of the values of the variables that `evaluator.env` names. */
export interface StepRun {
  readonly result: RunResult;
  /** The text of CLADE_RESULT; null when there is none. */
  readonly written: string | null;
  readonly artifacts: string;
}

/** A result in the last line of stdout must be whole, with room for what was printed before. */
const CAPTURE = { headBytes: 64 * 2 ** 10, tailBytes: MAX_RESULT_BYTES + 64 * 2 ** 10 };

/**
 * Runs one command of the evaluator in a sandbox of its own: no process and no file of its HOME and TMPDIR is there for the
 * next one.
 * @throws InfrastructureError when it is not there, or a required sandbox is not.
 */
export async function runStep(
  request: EvaluationRequest,
  step: Command,
  ground: Ground,
  signal: AbortSignal,
): Promise<StepRun> {
  const { evaluator, sandbox, limits } = request.campaign;
  const { shown, masked } = ground.visibility;
  const places = await makePlaces(request.scratch, step.name);
  const env = contractEnvironment(request, { name: step.name, places, hidden: shown });
  const [program, ...rest] = await resolveCommand(step.command, request.bundle);
  const found = await findExecutable(program, env.PATH ?? '', ground.cwd);
  // Behind taskset a missing command would be an exit code, held against the candidate.
  if (found === null) throw new InfrastructureError(`the evaluator ${program} is not there or not executable`);
  const [first = found, ...others] = [...ground.prefix, found, ...rest];
  const result = await run({
    argv: [first, ...others],
    cwd: ground.cwd,
    env,
    timeoutMs: step.timeoutMs,
    graceMs: evaluator.graceMs,
    signal,
    capture: CAPTURE,
    sandbox: {
      mode: sandbox,
      network: evaluator.network,
      readOnly: [request.bundle, ...shown, ...ground.readOnly, ...(request.readOnly ?? [])],
      writable: [...ground.writable, places.own, places.artifacts],
      hidden: masked,
      limits,
    },
  });
  const redact = redactor(evaluator.env.flatMap((name) => env[name] ?? []));
  const written = await readResultFile(places.result);
  return {
    result: {
      ...result,
      stdout: { ...result.stdout, text: redact(result.stdout.text) },
      stderr: { ...result.stderr, text: redact(result.stderr.text) },
    },
    written: written === null ? null : redact(written),
    artifacts: places.artifacts,
  };
}
