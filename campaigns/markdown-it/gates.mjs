import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { makeDocuments } from './corpus.mjs';

/** What a candidate must pass before it is timed. A gate returns null, or why the candidate is refused. */

const BUNDLE = 'dist/markdown-it.mjs';
const CORPUS_DOCUMENTS = 80;
const SHOWN_CHARACTERS = 300;

/** Ways out of a module that renders Markdown: to the process, other modules, or text made code. */
const REACHES_OUT = [
  /\bglobalThis\b/,
  /(?<![.\w])process\s*[.[]/,
  /\bimport\s*[(.]/,
  /(?<![.\w])(?:eval|require|Function|Buffer|gc|setTimeout|setInterval|setImmediate|queueMicrotask)\s*[(.]/,
];

/**
 * @typedef {{kind: string, summary: string, evidence: string}} Refusal
 * @typedef {import('./version.mjs').Version} Version
 */

/** @param {string} directory @returns {{text: string, identity: string}} the bundle under test */
export function readBundle(directory) {
  const text = readFileSync(join(directory, BUNDLE), 'utf8');
  return { text, identity: `sha256:${createHash('sha256').update(text).digest('hex')}` };
}

/**
 * Refuses a bundle that imports what the root's does not, or reaches for the process it runs in. A guard against shortcuts
 * and not a sandbox: that is the permission model's and the engine's part.
 *
 * @returns {Refusal | null}
 */
export function checkScope(rootText, text) {
  const imports = (source) =>
    [...source.matchAll(/^\s*import\b[^'"]*['"]([^'"]+)['"]|\bfrom\s*['"]([^'"]+)['"]/gm)].map(
      (match) => match[1] ?? match[2],
    );
  const known = new Set(imports(rootText));
  const foreign = imports(text).filter((name) => !known.has(name));
  const reaching = REACHES_OUT.filter((pattern) => pattern.test(text) && !pattern.test(rootText)).map(
    (pattern) => text.match(pattern)[0],
  );
  if (foreign.length + reaching.length === 0) return null;
  return { kind: 'scope', summary: `the bundle reaches out: ${[...foreign, ...reaching].join(', ')}`, evidence: '' };
}

/**
 * All examples of the CommonMark specification, rendered with the preset of that name.
 *
 * @param {Version} candidate
 * @param {string} modules the root's folder of packages; the candidate's is never asked
 * @returns {Promise<Refusal | null>}
 */
export async function checkCommonMark(candidate, modules) {
  const { tests } = createRequire(join(modules, 'index.js'))('commonmark-spec');
  const examples = tests.map(({ number, section, markdown, html }) => ({
    number,
    section,
    markdown: tabs(markdown),
    html: tabs(html),
  }));
  const { outputs } = await candidate.ask('render', {
    preset: 'commonmark',
    texts: examples.map(({ markdown }) => markdown),
  });
  const wrong = examples.filter(({ html }, i) => normal(outputs[i]) !== normal(html));
  if (wrong.length === 0) return null;
  const [first] = wrong;
  const actual = outputs[examples.indexOf(first)];
  return {
    kind: 'test',
    summary: `${wrong.length} of ${examples.length} CommonMark examples fail, the first is ${first.number} (${first.section})`,
    evidence: `failing: ${wrong
      .slice(0, 30)
      .map(({ number }) => number)
      .join(', ')}\n${difference(first.markdown, first.html, actual)}`,
  };
}

/**
 * The root's very output on the sources of the corpus and on documents made of them, with two presets.
 *
 * @param {Version} root @param {Version} candidate
 * @param {readonly string[]} sources
 * @param {number} seed
 * @returns {Promise<Refusal | null>}
 */
export async function checkEquality(root, candidate, sources, seed) {
  const texts = [...sources, ...makeDocuments(sources, seed, CORPUS_DOCUMENTS)];
  for (const preset of ['commonmark', 'full']) {
    const [expected, actual] = await Promise.all(
      [root, candidate].map((version) => version.ask('render', { preset, texts })),
    );
    const at = expected.outputs.findIndex((html, i) => html !== actual.outputs[i]);
    if (at < 0) continue;
    const evidence = difference('', expected.outputs[at], actual.outputs[at]);
    return {
      kind: 'gate',
      summary: `the output differs from the root's on text ${at} of ${texts.length}, preset ${preset}`,
      evidence,
    };
  }
  return null;
}

function tabs(text) {
  return text.replaceAll('→', '\t');
}

/** The one freedom that markdown-it takes, in its own tests too: an empty quote has no line break in it. */
function normal(html) {
  return String(html).replaceAll('<blockquote>\n</blockquote>', '<blockquote></blockquote>');
}

/** The texts from shortly before the first character in which they differ. */
function difference(markdown, expected, actual) {
  const other = String(actual);
  let at = 0;
  while (at < expected.length && expected[at] === other[at]) at += 1;
  const from = Math.max(0, at - 40);
  const part = (text) => JSON.stringify(text.slice(from, from + SHOWN_CHARACTERS));
  const source = markdown === '' ? '' : `markdown: ${JSON.stringify(markdown.slice(0, SHOWN_CHARACTERS))}\n`;
  return `${source}expected: ${part(expected)}\nactual:   ${part(other)}\n`;
}
