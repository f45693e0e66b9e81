import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InvalidKind } from 'clade/evaluator';

/**
 * Runs a candidate's program in a process of its own, which can read the program and nothing else, write nothing, start
 * nothing and compile no text. It is told neither where the result goes nor anything else of the environment.
 */

/** For a candidate that waits instead of working. */
const WALL_MS = 15_000;
/** A circle is some 70 bytes of it. */
const OUTPUT_BYTES = 64 * 1024;
const HEAP_MIB = 128;

/** Plain JavaScript, so that its process needs no right but to read this one file. */
const HARNESS = join(import.meta.dirname, 'harness.mjs');

type Failure = { readonly kind: 'failed'; readonly verdict: InvalidKind; readonly detail: string };

/**
 * @param files programs by name
 * @param library the folder that the program finds beside it as lib/
 * @param cpuSeconds processor time and not wall time, so that a busy machine does not change the verdict
 * @returns what each run printed, or how the first bad one ended
 */
export async function runProgram(
  files: ReadonlyMap<string, string>,
  library: string,
  times: number,
  cpuSeconds: number,
): Promise<{ readonly kind: 'output'; readonly texts: readonly string[] } | Failure> {
  const directory = mkdtempSync(join(tmpdir(), 'circle-packing-'));
  try {
    writeFileSync(join(directory, 'package.json'), '{"type": "module"}\n');
    cpSync(library, join(directory, 'lib'), { recursive: true });
    for (const [name, text] of files) writeFileSync(join(directory, name), text);
    const texts: string[] = [];
    for (let time = 0; time < times; time += 1) {
      const run = await runOnce(directory, cpuSeconds);
      if (typeof run !== 'string') return run;
      texts.push(run);
    }
    return { kind: 'output', texts };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function runOnce(directory: string, cpuSeconds: number): Promise<string | Failure> {
  const node = [
    process.execPath,
    '--permission',
    `--allow-fs-read=${directory}`,
    `--allow-fs-read=${HARNESS}`,
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${HEAP_MIB}`,
    '--no-warnings',
    HARNESS,
    directory,
  ];
  const argv = ['-c', `ulimit -t ${cpuSeconds} && exec "$@"`, 'sh', ...node];
  const options = {
    cwd: directory,
    env: {},
    timeout: WALL_MS,
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_BYTES,
  } as const;
  return new Promise((resolve) => {
    execFile('/bin/sh', argv, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.trim().split('\n').at(-1) ?? '');
      else resolve({ kind: 'failed', ...explain(error, stderr, cpuSeconds) });
    });
  });
}

/** The harness ends with 3 when the program cannot be loaded; see there. */
function explain(error: ExecFileException, stderr: string, cpuSeconds: number): Omit<Failure, 'kind'> {
  const tail = stderr.trim().slice(-1500);
  if (error.code === 3) return { verdict: 'build', detail: tail };
  if (error.signal === 'SIGXCPU' || (error.signal === 'SIGKILL' && error.killed !== true)) {
    return { verdict: 'benchmark', detail: `it used more than ${cpuSeconds} s of processor time` };
  }
  if (error.killed === true && error.signal === 'SIGKILL')
    return { verdict: 'benchmark', detail: `it did not end within ${WALL_MS} ms` };
  // For a program that prints too much Node's types do not have the code in text that Node gives.
  if (String(error.code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return { verdict: 'test', detail: `it printed more than ${OUTPUT_BYTES} bytes` };
  return { verdict: 'test', detail: tail || `it ended with ${error.signal ?? error.code}` };
}
