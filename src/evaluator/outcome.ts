import { InfrastructureError, InterruptedError } from '../errors.ts';
import type { RunResult } from '../process/index.ts';
import { type Evaluation, type InvalidKind, invalid } from './evaluation.ts';
import { parseResult } from './parse-result.ts';
import type { Ranked } from './scores.ts';

/** EX_TEMPFAIL of sysexits(3): the machine failed, not the candidate. */
const INFRASTRUCTURE_EXIT = 75;
const TAIL_LENGTH = 16_000;

/**
 * What the end of an evaluator means by the contract. `written` is the text of CLADE_RESULT, null when there is none;
 * then the last line of stdout is the result.
 *
 * @throws InfrastructureError for exit 75 and for an evaluator that could not be started; InterruptedError when cancelled.
 */
export function outcomeOf(run: RunResult, written: string | null, objectives: readonly Ranked[]): Evaluation {
  const tail = run.stderr.text.slice(-TAIL_LENGTH);
  switch (run.end.kind) {
    case 'cancelled':
      throw new InterruptedError('the evaluation was cancelled');
    case 'spawn-failed':
      throw new InfrastructureError(`the evaluator could not be started: ${run.end.message}`);
    case 'timeout':
      return unfinished('timeout', 'the evaluator exceeded its time limit', tail, written, objectives);
    case 'signal':
      return unfinished('crash', `the evaluator was killed by ${run.end.signal}`, tail, written, objectives);
    case 'exit':
      if (run.end.code === 0) return parseResult(written ?? lastLine(run.stdout.text), objectives);
      if (run.end.code === INFRASTRUCTURE_EXIT) {
        throw new InfrastructureError(`the evaluator reported an infrastructure fault (exit 75): ${tail.trim()}`);
      }
      return unfinished('crash', `the evaluator exited with code ${run.end.code}`, tail, written, objectives);
  }
}

/** What earlier stages wrote before a late crash helps the next agent; its numbers do not count. */
function unfinished(
  kind: InvalidKind,
  summary: string,
  stderr: string,
  written: string | null,
  objectives: readonly Ranked[],
): Evaluation {
  const before = written === null ? null : parseResult(written, objectives);
  if (before === null || (before.status === 'invalid' && before.kind === 'malformed'))
    return invalid(kind, summary, stderr);
  const reported = [before.summary, before.evidence].filter((text) => text !== '').join('\n');
  return invalid(kind, summary, `${stderr}\nReported before the end:\n${reported}`);
}

function lastLine(stdout: string): string {
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}
