import type { EvaluatorStep } from '../config/index.ts';
import { InfrastructureError, InterruptedError } from '../errors.ts';
import type { RunEnd, RunResult } from '../process/index.ts';
import { type InvalidEvaluation, type InvalidKind, invalid } from './evaluation.ts';
import { type Findings, NO_FINDINGS } from './findings.ts';
import { parseFindings, parseResult } from './parse-result.ts';
import type { Ranked } from './scores.ts';

/** EX_TEMPFAIL of sysexits(3): the machine failed, not the candidate. */
const INFRASTRUCTURE_EXIT = 75;
const TAIL_LENGTH = 16_000;

/** What a step reported when it passed, or why the candidate is refused. */
export type StepOutcome =
  | { readonly status: 'passed'; readonly findings: Findings }
  | { readonly status: 'failed'; readonly evaluation: InvalidEvaluation };

/**
 * What the end of a step means by the contract. `written` is the text of CLADE_RESULT, null when there is none; then the last
 * line of stdout is the result. A step with a kind need not report anything: for it that line only counts when it is a
 * result, and a failure without one is of the step's kind, with the end of both streams.
 *
 * @throws InfrastructureError for exit 75 and for a command that could not be started; InterruptedError when cancelled.
 */
export function outcomeOf(
  step: Pick<EvaluatorStep, 'name' | 'kind'>,
  run: RunResult,
  written: string | null,
  objectives: readonly Ranked[],
): StepOutcome {
  const { kind } = step;
  const subject = kind === null ? 'the evaluator' : `the step ${step.name}`;
  const failed = (of: InvalidKind): StepOutcome => ({
    status: 'failed',
    evaluation: unfinished(
      of,
      `${subject} ${endText(run.end)}`,
      tailOf(run, kind === null),
      reportOf(written, objectives),
    ),
  });
  switch (run.end.kind) {
    case 'cancelled':
      throw new InterruptedError('the evaluation was cancelled');
    case 'spawn-failed':
      throw new InfrastructureError(`${subject} ${endText(run.end)}`);
    case 'timeout':
      return failed('timeout');
    case 'limit':
      return failed('crash');
    case 'signal':
      return failed(kind ?? 'crash');
    case 'exit':
      if (run.end.code === 0) return read(kind, run, written, objectives);
      if (run.end.code === INFRASTRUCTURE_EXIT) {
        const tail = run.stderr.text.slice(-TAIL_LENGTH).trim();
        throw new InfrastructureError(`${subject} reported an infrastructure fault (exit 75): ${tail}`);
      }
      return failed(kind ?? 'crash');
  }
}

/** How a command ended, to be put behind its name. */
export function endText(end: RunEnd): string {
  switch (end.kind) {
    case 'cancelled':
      return 'was cancelled';
    case 'spawn-failed':
      return `could not be started: ${end.message}`;
    case 'timeout':
      return 'exceeded its time limit';
    case 'limit':
      return `was ended: ${end.message}`;
    case 'signal':
      return `was killed by ${end.signal}`;
    case 'exit':
      return `exited with code ${end.code}`;
  }
}

function read(
  kind: EvaluatorStep['kind'],
  run: RunResult,
  written: string | null,
  objectives: readonly Ranked[],
): StepOutcome {
  const last = run.stdout.text.trimEnd().split('\n').at(-1) ?? '';
  if (kind === null) {
    const evaluation = parseResult(written ?? last, objectives);
    if (evaluation.status === 'invalid') return { status: 'failed', evaluation };
    const { status: _, scores: _scores, ...findings } = evaluation;
    return { status: 'passed', findings };
  }
  const text = written ?? (isResult(last) ? last : null);
  if (text === null) return { status: 'passed', findings: NO_FINDINGS };
  const findings = parseFindings(text, objectives);
  return 'status' in findings ? { status: 'failed', evaluation: findings } : { status: 'passed', findings };
}

/** A build or a test may print any line last, JSON of its own among them. */
function isResult(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'status' in value && /^(in)?valid$/.test(`${value.status}`);
  } catch {
    // Not JSON, so not a result.
    return false;
  }
}

/** What a test has to say is on either stream; the end of stderr comes last, where a brief that cuts keeps it. */
function tailOf({ stdout, stderr }: RunResult, stderrOnly: boolean): string {
  if (stderrOnly) return stderr.text.slice(-TAIL_LENGTH);
  return [stdout, stderr]
    .map(({ text }) => text.slice(-TAIL_LENGTH / 2).trim())
    .filter((text) => text !== '')
    .join('\n');
}

/** What the step itself wrote before it fell, if it can be read. */
function reportOf(written: string | null, objectives: readonly Ranked[]): string {
  if (written === null) return '';
  const found = parseFindings(written, objectives);
  if ('kind' in found && found.kind === 'malformed') return '';
  return [found.summary, found.evidence].filter((text) => text !== '').join('\n');
}

/** What was written before a late crash helps the next agent; its numbers do not count. */
function unfinished(kind: InvalidKind, summary: string, tail: string, reported: string): InvalidEvaluation {
  return invalid(kind, summary, reported === '' ? tail : `Reported before the end:\n${reported}\n${tail}`);
}
