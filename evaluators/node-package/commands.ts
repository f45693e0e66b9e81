import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { infrastructure, invalid, timeCommand } from 'clade/evaluator';
import type { Settings } from './settings.ts';

/** A file of ours in the root's checkout that says it was built; it goes when the checkout is cleaned, as the build does. */
const BUILT = '.clade-built';
const TAIL_CHARACTERS = 8000;

/**
 * Builds the candidate, and the root where that was not done before.
 *
 * @throws Refusal `build`; MachineFault when the root cannot be built
 */
export async function build({ build: command }: Settings, rootDir: string): Promise<void> {
  if (command === null) return;
  if (!existsSync(join(rootDir, BUILT)) && writable(rootDir)) {
    const { failed, text } = await runIn(rootDir, command);
    if (failed !== null) infrastructure(`${command.join(' ')} ${failed} in the root: ${text}`);
    writeFileSync(join(rootDir, BUILT), '');
  }
  const { failed, text } = await runIn(process.cwd(), command);
  if (failed !== null) invalid('build', `${command.join(' ')} ${failed}`, text);
}

/** @throws Refusal `test` when the command fails */
export async function test({ test: command }: Settings): Promise<void> {
  if (command === null) return;
  const { failed, text } = await runIn(process.cwd(), command);
  if (failed !== null) invalid('test', `${command.join(' ')} ${failed}`, text);
}

async function runIn(cwd: string, command: readonly string[]): Promise<{ failed: string | null; text: string }> {
  const { exitCode, signal, stdout, stderr } = await timeCommand(command, { cwd });
  const failed = exitCode === 0 ? null : `ended with ${signal ?? `exit code ${exitCode}`}`;
  return { failed, text: `${stdout}\n${stderr}`.trim().slice(-TAIL_CHARACTERS) };
}

/** A root that `evaluator.prepare` filled is read-only and built. */
function writable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    // The only thing that we ask is whether it may be written.
    return false;
  }
}
