import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InvalidKind, infrastructure, invalid, StartError } from './refusal.ts';
import { type TimedRun, timeCommand } from './time.ts';

/** A file of ours in the root's checkout that says it was built; it goes when the checkout is cleaned, as the build does. */
const BUILT = '.clade-built';
const TAIL_CHARACTERS = 8000;

export interface CheckOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

/**
 * Runs a command that the candidate must pass, in its checkout.
 *
 * @throws Refusal of that kind, with the tail of its output as evidence, when it fails, hangs or cannot be started
 */
export async function runCheck(
  kind: InvalidKind,
  command: readonly string[],
  options: CheckOptions = {},
): Promise<TimedRun> {
  const { run, failure } = await attempt(command, { cwd: process.cwd(), ...options });
  return run ?? invalid(kind, failure.summary, failure.text);
}

/**
 * Builds the root, where that was not done before, and then the candidate. A root that may not be written was built by
 * `evaluator.prepare`.
 *
 * @throws Refusal `build`; MachineFault when the root cannot be built
 */
export async function buildBoth(
  command: readonly string[],
  rootDir: string,
  options: CheckOptions = {},
): Promise<void> {
  if (!existsSync(join(rootDir, BUILT)) && writable(rootDir)) {
    const { run, failure } = await attempt(command, { ...options, cwd: rootDir });
    if (run === null) infrastructure(`${failure.summary} in the root: ${failure.text}`);
    writeFileSync(join(rootDir, BUILT), '');
  }
  await runCheck('build', command, options);
}

type Attempt =
  | { readonly run: TimedRun; readonly failure: null }
  | { readonly run: null; readonly failure: { readonly summary: string; readonly text: string } };

async function attempt(command: readonly string[], options: CheckOptions & { readonly cwd: string }): Promise<Attempt> {
  const failed = (how: string, text: string): Attempt => ({
    run: null,
    failure: { summary: `${command.join(' ')} ${how}`, text: text.trim().slice(-TAIL_CHARACTERS) },
  });
  try {
    const run = await timeCommand(command, options);
    if (run.exitCode === 0) return { run, failure: null };
    const how = run.timedOut
      ? `was not done after ${options.timeoutMs} ms`
      : `ended with ${run.signal ?? `exit code ${run.exitCode}`}`;
    return failed(how, `${run.stdout}\n${run.stderr}`);
  } catch (error) {
    if (error instanceof StartError) return failed('could not be started', error.message);
    throw error;
  }
}

function writable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    // The only thing that we ask is whether it may be written.
    return false;
  }
}
