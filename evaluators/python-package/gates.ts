import { join, resolve } from 'node:path';
import { infrastructure, invalid } from 'clade/evaluator';
import { ask, type Request } from './driver.ts';
import type { Settings } from './options.ts';
import { type Python, runPython } from './python.ts';

const SCOPE = join(import.meta.dirname, 'scope.py');
const SCOPE_SECONDS = 60;
const SHOWN = 300;

/** What a package's source is, without running it. */
export interface Source {
  /** Of the syntax trees: comments and layout do not count. */
  readonly identity: string;
  readonly imports: readonly string[];
  readonly names: readonly string[];
  readonly broken: string | null;
}

/** @param folder of the package itself @throws MachineFault when it cannot be read */
export async function readSource(python: Python, folder: string): Promise<Source> {
  const run = await runPython(python, ['-I', SCOPE, folder], { cwd: '/', seconds: SCOPE_SECONDS });
  if (run.exitCode !== 0) infrastructure(`the source in ${folder} cannot be read: ${run.stderr.trim()}`);
  return JSON.parse(run.stdout);
}

/**
 * Refuses source that is no Python, imports what the root's does not, or uses names that reach out of a module. A guard against
 * shortcuts and not a sandbox.
 */
export function checkScope(root: Source, candidate: Source, { package: own, allow }: Settings): void {
  if (candidate.broken !== null) invalid('build', `not Python: ${candidate.broken}`);
  const known = new Set([...root.imports, ...allow, own]);
  const foreign = candidate.imports.filter((name) => !known.has(name));
  const reaching = candidate.names.filter((name) => !root.names.includes(name));
  if (foreign.length > 0) invalid('scope', `it imports what the root does not: ${foreign.join(', ')}`);
  if (reaching.length > 0) invalid('scope', `it reaches out of its module: ${reaching.join(', ')}`);
}

/** The project's own tests, in the checkout, whose package is the one that is imported. */
export async function checkTests(
  python: Python,
  checkout: string,
  { test, testSeconds, path }: Settings,
): Promise<void> {
  const [program, ...rest] = test;
  if (program === undefined) return;
  if (program !== 'python') infrastructure('the option "test" must begin with "python"');
  const env = { ...python.env, PYTHONPATH: resolve(checkout, path) };
  const run = await runPython({ ...python, env }, ['-s', ...rest], { cwd: checkout, seconds: testSeconds });
  const output = `${run.stdout}\n${run.stderr}`.trim();
  if (run.timedOut) invalid('test', `the tests were not done within ${testSeconds} s`, output.slice(-3000));
  if (run.exitCode === 0) return;
  const last = output.split('\n').findLast((line) => line.trim() !== '') ?? '';
  invalid('test', `the tests fail: ${last}`, output.slice(-6000));
}

/** The root's very output on all cases of the benchmark, each version in a process of its own. */
export async function checkEquality(python: Python, request: Request, seconds: number): Promise<number> {
  const answersOf = async (who: string): Promise<string[]> => {
    const answers = await ask(python, { ...request, do: 'answers', who }, seconds);
    if (Array.isArray(answers) && answers.every((text) => typeof text === 'string')) return answers;
    return infrastructure(`the answers of the ${who} are no list of texts`);
  };
  const expected = await answersOf('root');
  const actual = await answersOf('candidate');
  const at = expected.findIndex((text, index) => text !== actual[index]);
  if (at >= 0) {
    const evidence = difference(expected[at] ?? '', actual[at] ?? '');
    invalid('gate', `the output differs from the root's in case ${at} of ${expected.length}`, evidence);
  }
  return expected.length;
}

/** The texts from shortly before the first character in which they differ. */
function difference(expected: string, actual: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 40);
  return `expected: ${expected.slice(from, from + SHOWN)}\nactual:   ${actual.slice(from, from + SHOWN)}\n`;
}
