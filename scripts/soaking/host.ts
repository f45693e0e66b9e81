import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

const CLADE = join(import.meta.dirname, '../../src/cli/clade.ts');

/** A workspace of its own, as on a machine of its own, with one `clade` process in it. */
export interface Host {
  readonly dir: string;
  /** The process as of now. */
  readonly pid: () => number;
  start(): void;
  signal(name: NodeJS.Signals): void;
  /** Ends it by a signal and waits until it is gone. Its exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Runs another command in the workspace. @throws when it fails. */
  ask(...argv: string[]): Promise<string>;
}

/** Prepares a host; what its process says goes to `log` in its folder. */
export async function openHost(
  dir: string,
  env: Readonly<Record<string, string>>,
  argv: readonly string[],
): Promise<Host> {
  await mkdir(dir, { recursive: true });
  const log = createWriteStream(join(dir, 'log'), { flags: 'a' });
  const whole = { PATH: process.env.PATH ?? '', HOME: dir, NODE_COMPILE_CACHE: join(dir, 'compiled'), ...env };
  let child: ChildProcess | null = null;
  const running = (): ChildProcess => {
    if (child === null) throw new Error(`nothing was started in ${dir}`);
    return child;
  };
  return {
    dir,
    pid: () => running().pid ?? 0,
    start() {
      child = spawn(process.execPath, [CLADE, ...argv, '--workspace', dir], {
        env: whole,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stdout?.pipe(log, { end: false });
      child.stderr?.pipe(log, { end: false });
    },
    signal: (name) => void running().kill(name),
    async end(signal) {
      const ending = running();
      if (ending.exitCode !== null || ending.signalCode !== null) return ending.exitCode;
      const gone = once(ending, 'close');
      ending.kill(signal);
      await gone;
      return ending.exitCode;
    },
    async ask(...argv) {
      const { stdout } = await execa(process.execPath, [CLADE, ...argv, '--workspace', dir], {
        env: whole,
        extendEnv: false,
      });
      return stdout;
    },
  };
}
