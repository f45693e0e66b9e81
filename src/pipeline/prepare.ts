import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InfrastructureError, InterruptedError } from '../errors.ts';
import { endText } from '../evaluator/index.ts';
import { addWorktree, removeWorktree } from '../git/index.ts';
import { baseEnvironment, run } from '../process/index.ts';
import type { Workshop } from './workshop.ts';

const PREPARE_TIMEOUT_MS = 30 * 60_000;
/** No fence: what a user's command installs may come from anywhere. Its limits hold all the same. */
const OPEN = { mode: 'off', network: true, readOnly: [], hidden: [] } as const;

/**
 * Runs `target.prepare` once per machine and root, in a root checkout of its own that `target.link` points into. A
 * checkout left half-prepared by a dead process is thrown away: the stamp is written last.
 * @throws InfrastructureError when a command fails, with the end of its output.
 */
export async function prepareRoot(workshop: Workshop, signal: AbortSignal): Promise<void> {
  const { target } = workshop.campaign;
  if (target.prepare.length === 0 && target.link.length === 0) return;
  const { prepared } = workshop.folders;
  const stamp = `${prepared}.done`;
  const key = createHash('sha256')
    .update(JSON.stringify([workshop.root.commit, target.prepare]))
    .digest('hex');
  if (existsSync(prepared) && existsSync(stamp) && (await readFile(stamp, 'utf8')) === key) return;
  await rm(stamp, { force: true });
  await removeWorktree(workshop.hub, prepared);
  await addWorktree(workshop.hub, prepared, workshop.root.commit);
  await runCommands(workshop, target.prepare, prepared, PREPARE_TIMEOUT_MS, signal);
  await writeFile(stamp, key);
}

/**
 * The user's own shell commands in a checkout, within the limits of the campaign but outside any sandbox because they
 * install things; they see the campaign folder as CLADE_CAMPAIGN_DIR.
 * @throws InfrastructureError when one fails.
 */
export async function runCommands(
  workshop: Workshop,
  commands: readonly string[],
  cwd: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const home = join(workshop.folders.cache, 'home');
  const tmp = join(workshop.folders.scratch, 'tmp');
  await mkdir(home, { recursive: true });
  await mkdir(tmp, { recursive: true });
  const env = baseEnvironment({
    home,
    tmp,
    extra: { CLADE_CAMPAIGN_DIR: workshop.campaign.directory, CLADE_ROOT_COMMIT: workshop.root.commit },
  });
  const { limits } = workshop.campaign;
  for (const command of commands) {
    const argv = ['/bin/sh', '-c', command] as const;
    const result = await run({
      argv,
      cwd,
      env,
      timeoutMs,
      signal,
      sandbox: { ...OPEN, limits, writable: [cwd, home, tmp] },
    });
    if (result.end.kind === 'cancelled') throw new InterruptedError(`"${command}" was interrupted`);
    if (result.end.kind !== 'exit' || result.end.code !== 0) {
      const output = `${result.stdout.text}\n${result.stderr.text}`.trim().split('\n').slice(-12).join('\n');
      throw new InfrastructureError(`"${command}" ${endText(result.end)} in ${cwd}:\n${output}`, {
        hint: 'run it by hand in a checkout of the root; target.prepare and target.setup must succeed there',
      });
    }
  }
}
