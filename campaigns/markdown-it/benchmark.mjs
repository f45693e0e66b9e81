import { createRequire } from 'node:module';
import { join } from 'node:path';
import { makeDocuments, readSources } from './corpus.mjs';

/**
 * The benchmark of markdown-it for clade-node-package: what is rendered, timed and compared.
 *
 * @typedef {{seed: number, split: 'train' | 'validation' | 'holdout', modules: string}} Context
 */

/** About 2.1 MB and 50 ms of work. */
const DOCUMENTS = { warmup: 1000, timed: 250 };
const COMPARED_DOCUMENTS = 80;

// Taken before the version under test is loaded.
const byteLength = Buffer.byteLength;

/** @param {{default: Function}} module @param {Context} context */
export function setup({ default: MarkdownIt }, { modules, split }) {
  return {
    commonmark: () => MarkdownIt('commonmark'),
    full: () => MarkdownIt({ html: true, linkify: true, typographer: true }),
    sources: readSources(modules),
    split,
  };
}

/** @param {{seed: number, phase: 'warmup' | 'timed'}} round */
export function input({ sources, split }, { seed, phase }) {
  return makeDocuments(sources, split, seed, DOCUMENTS[phase]);
}

/** The timed work. Counting the bytes makes V8 finish a string that is still a tree of pieces. */
export function run({ commonmark }, documents) {
  const markdown = commonmark();
  const outputs = new Array(documents.length);
  let bytes = 0;
  for (let i = 0; i < documents.length; i += 1) {
    const html = markdown.render(documents[i]);
    bytes += byteLength(html);
    outputs[i] = html;
  }
  return { outputs, bytes };
}

export function output({ outputs }) {
  return outputs.join('\0');
}

/**
 * All examples of the CommonMark specification with the preset of that name, whose answers are known; then the sources of the
 * corpus and documents made of them with two presets, whose answers are the root's.
 *
 * @param {Context} context
 */
export function cases({ modules, seed, split }) {
  const { tests } = createRequire(join(modules, 'index.js'))('commonmark-spec');
  const examples = tests.map(({ number, section, markdown, html }) => ({
    name: `CommonMark ${number} (${section})`,
    input: { preset: 'commonmark', text: tabs(markdown) },
    expected: tabs(html),
  }));
  const sources = readSources(modules);
  const texts = [...sources, ...makeDocuments(sources, split, seed, COMPARED_DOCUMENTS)];
  const compared = ['commonmark', 'full'].flatMap((preset) =>
    texts.map((text, i) => ({ name: `text ${i}, preset ${preset}`, input: { preset, text } })),
  );
  return [...examples, ...compared];
}

export function answer(makers, { preset, text }) {
  return makers[preset]().render(text);
}

/** The one freedom that markdown-it takes, in its own tests too: an empty quote has no line break in it. */
export function same(actual, expected) {
  const normal = (html) => html.replaceAll('<blockquote>\n</blockquote>', '<blockquote></blockquote>');
  return normal(actual) === normal(expected);
}

function tabs(text) {
  return text.replaceAll('→', '\t');
}
