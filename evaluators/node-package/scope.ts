import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { invalid, listFiles } from 'clade/evaluator';

/** Ways out of a package that computes: to the process, to timers, or to text made code. */
const REACHES_OUT = [
  /\bglobalThis\b/,
  /(?<![.\w])process\s*[.[]/,
  /\bimport\s*[(.]/,
  /(?<![.\w])(?:eval|require|Function|Buffer|gc|setTimeout|setInterval|setImmediate|queueMicrotask)\s*[(.]/,
];

/**
 * Refuses code that imports what the root's does not, or that reaches for the process it runs in where the root's does not. A guard
 * against shortcuts and not a sandbox: that is the part of Node's permission model and of the engine.
 *
 * @throws Refusal `scope`
 */
export function checkScope(rootDir: string, candidateDir: string, patterns: readonly string[]): void {
  const [root, candidate] = [readCode(rootDir, patterns), readCode(candidateDir, patterns)];
  // New modules of the package itself are looked at here as well.
  const known = new Set([...root.flatMap(importsOf), ...candidate.map(({ path }) => `./${path}`)]);
  const foreign = candidate.flatMap(importsOf).filter((name) => !known.has(name));
  const reaching = REACHES_OUT.filter((pattern) => !root.some(({ text }) => pattern.test(text))).flatMap((pattern) =>
    candidate.flatMap(({ text }) => pattern.exec(text)?.[0] ?? []),
  );
  if (foreign.length + reaching.length === 0) return;
  invalid('scope', `the code reaches out: ${[...new Set([...foreign, ...reaching])].join(', ')}`);
}

interface Code {
  readonly path: string;
  readonly text: string;
}

function readCode(directory: string, patterns: readonly string[]): Code[] {
  return listFiles(directory, patterns)
    .filter((path) => /\.[cm]?js$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(directory, path), 'utf8') }));
}

/** The names that a file imports; its neighbours in the package by their path from the checkout. */
function importsOf({ path, text }: Code): string[] {
  const found = text.matchAll(/^\s*import\b[^'"]*['"]([^'"]+)['"]|\bfrom\s*['"]([^'"]+)['"]/gm);
  return [...found].map((match) => {
    const name = match[1] ?? match[2] ?? '';
    return name.startsWith('.') ? `./${join(dirname(path), name)}` : name;
  });
}
