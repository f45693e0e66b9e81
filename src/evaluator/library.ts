import { chmod, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';
import process from 'node:process';

/** Where in a bundle the commands of Clade's own evaluators are; first on an evaluator's PATH. */
export const COMMANDS = 'node_modules/.bin';

/** Beside this file, in `src/` as TypeScript and in `dist/` as JavaScript. */
const KIT = join(import.meta.dirname, 'kit');
/** At the top of the package, which ships it as it is. */
const EVALUATORS = join(import.meta.dirname, '../../evaluators');
const LEFT_OUT = new Set(['README.md', 'node_modules']);

/**
 * Puts the package `clade/evaluator` and the ready evaluators into `bundle` as `node_modules/clade`, as JavaScript that needs
 * nothing of Clade, and their commands into {@link COMMANDS}: `clade-<folder>` for each folder of `evaluators/` that has an
 * `evaluate` file, and `clade-paired`.
 */
export async function addLibrary(bundle: string): Promise<void> {
  const home = join(bundle, 'node_modules/clade');
  const commands = join(bundle, COMMANDS);
  await mkdir(home, { recursive: true });
  await mkdir(commands, { recursive: true });
  const exported = { './evaluator': './kit/index.js' };
  await put(join(home, 'package.json'), `${JSON.stringify({ name: 'clade', type: 'module', exports: exported })}\n`);
  await copyScripts(KIT, join(home, 'kit'));
  await addCommand(commands, 'clade-paired', 'kit/command.js');
  for (const { name } of (await readdir(EVALUATORS, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
    const folder = join('evaluators', name);
    await copyScripts(join(EVALUATORS, name), join(home, folder));
    const main = (await readdir(join(home, folder))).find((file) => /^evaluate\.[a-z]+$/.test(file));
    if (main !== undefined) await addCommand(commands, `clade-${name}`, join(folder, main));
  }
}

/** A shell script and not a link: the program finds its neighbours by its own path, and the hash holds what is started. */
async function addCommand(folder: string, name: string, program: string): Promise<void> {
  const path = `"$(dirname "$0")/../clade/${program}"`;
  const start = extname(program) === '.js' ? `node ${path}` : path;
  await put(join(folder, name), `#!/bin/sh\nexec ${start} "$@"\n`, 0o555);
}

async function copyScripts(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (LEFT_OUT.has(entry.name) || entry.name.endsWith('.d.ts')) continue;
    if (entry.isDirectory()) {
      await copyScripts(source, join(to, entry.name));
    } else if (entry.name.endsWith('.ts')) {
      await put(join(to, `${entry.name.slice(0, -3)}.js`), asScript(await readFile(source, 'utf8')));
    } else {
      const { mode } = await stat(source);
      await copyFile(source, join(to, entry.name));
      await chmod(join(to, entry.name), (mode & 0o111) === 0 ? 0o444 : 0o555);
    }
  }
}

/** A relative import of another file of ours, wherever it may stand. */
const IMPORTED = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]*)\.ts\2/g;

function asScript(text: string): string {
  return withoutTypes(text).replace(IMPORTED, '$1$2$3.js$2');
}

/**
 * Node says once a process that this is experimental; erasable TypeScript is a rule of this project, and the user can do
 * nothing about it. The call is synchronous, so no other warning is lost.
 */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function put(path: string, text: string, mode = 0o444): Promise<void> {
  await writeFile(path, text);
  await chmod(path, mode);
}
