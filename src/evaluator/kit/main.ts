import { Refusal } from './refusal.ts';
import { type Result, writeResult } from './result.ts';

/** The exit code of the contract for a fault of the machine: the measurement is tried again. */
const INFRASTRUCTURE_EXIT = 75;

/**
 * Runs an evaluator to its end: writes its result, writes a `Refusal` as an invalid evaluation, and ends with exit code 75 for
 * whatever else is thrown, also where nobody waits for it: a mistake of the evaluator must not be held against the candidate.
 */
export async function main(evaluator: () => Promise<Result>): Promise<void> {
  process.once('uncaughtException', (error) => {
    process.stderr.write(`${textOf(error)}\n`);
    process.exit(INFRASTRUCTURE_EXIT);
  });
  try {
    writeResult(await evaluator());
  } catch (error) {
    conclude(error);
  }
}

function conclude(error: unknown): void {
  if (error instanceof Refusal) {
    writeResult({ status: 'invalid', kind: error.kind, summary: error.message, evidence: error.evidence });
    return;
  }
  process.stderr.write(`${textOf(error)}\n`);
  process.exitCode = INFRASTRUCTURE_EXIT;
}

/** With the causes: the first cause is what a person can do something about. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${textOf(error.cause)}`;
}
