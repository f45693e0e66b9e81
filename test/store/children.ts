import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const started: ChildProcess[] = [];

/** A real process running one of `fixtures/`; `line()` gives its next line, undefined after its end. */
export interface Child {
  readonly process: ChildProcess;
  line(): Promise<string | undefined>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export function start(fixture: string, ...args: string[]): Child {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures', fixture), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    async line() {
      const next = await lines.next();
      return next.done === true ? undefined : next.value;
    },
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    },
  };
}

/** For `afterEach`: no process of a failed test stays. */
export async function endAll(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}
