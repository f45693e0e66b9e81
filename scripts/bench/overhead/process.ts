import { execa } from 'execa';

export interface Timed {
  /** Lines of standard output, each with the milliseconds from the start until it was read. */
  readonly lines: readonly { readonly text: string; readonly atMs: number }[];
  readonly wholeMs: number;
  /** User and system time of the command and its descendants. */
  readonly cpuMs: number;
}

/** A shell around the command says at the end, on descriptor 3, what its children used: times(1p). */
const WITH_TIMES = '"$@" 3>&-; code=$?; times >&3; exit $code';

/** Runs a command; standard error goes to ours. @throws when it fails. */
export async function timed(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Timed> {
  const start = performance.now();
  const child = execa('/bin/sh', ['-c', WITH_TIMES, 'sh', ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const lines: { text: string; atMs: number }[] = [];
  for await (const text of child.iterable()) lines.push({ text, atMs: performance.now() - start });
  const result = await child;
  const [, children = ''] = String(result.stdio[3]).trim().split('\n');
  return { lines, wholeMs: performance.now() - start, cpuMs: parseTimes(children) };
}

/** Reads `0m1.25s 0m0.50s`. */
function parseTimes(text: string): number {
  return Array.from(
    text.matchAll(/(\d+)m([\d.]+)s/g),
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  ).reduce((sum, seconds) => sum + seconds * 1000, 0);
}
