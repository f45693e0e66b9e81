import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { makeDocuments } from './corpus.mjs';

/**
 * Runs in a process with one version of markdown-it, root or candidate, and does what the evaluator asks. It measures
 * nothing and decides nothing: the clock and the comparison are the evaluator's.
 */

// Taken before the version under test is loaded.
const send = process.send.bind(process);
const byteLength = Buffer.byteLength;
const hashOf = createHash;
const jobs = { settings, render, load, run, digest };

let makers;
let documents = [];
let outputs = [];
let sources = [];

function settings(request) {
  sources = request.sources;
  return {};
}

/** Renders the texts with one of the presets. */
function render({ preset, texts }) {
  const markdown = makers[preset]();
  return { outputs: texts.map((text) => markdown.render(text)) };
}

/** Makes the documents of a round; not timed. */
function load({ seed, count }) {
  documents = makeDocuments(sources, seed, count);
  outputs = new Array(count).fill('');
  globalThis.gc();
  return {};
}

/** The timed work. Counting the bytes makes V8 finish a string that is still a tree of pieces. */
function run() {
  const markdown = makers.commonmark();
  let bytes = 0;
  for (let i = 0; i < documents.length; i += 1) {
    const html = markdown.render(documents[i]);
    bytes += byteLength(html);
    outputs[i] = html;
  }
  return { bytes };
}

/** What the timed work gave; not timed. */
function digest() {
  return { sha256: hashOf('sha256').update(outputs.join('\0')).digest('hex') };
}

const { default: MarkdownIt } = await import(pathToFileURL(`${process.argv[2]}/dist/markdown-it.mjs`).href);
makers = {
  commonmark: () => MarkdownIt('commonmark'),
  full: () => MarkdownIt({ html: true, linkify: true, typographer: true }),
};

process.on('message', (request) => {
  let reply;
  try {
    reply = jobs[request.job](request);
  } catch (error) {
    reply = { error: String(error?.stack ?? error).slice(0, 1500) };
  }
  send(reply);
});
send({});
