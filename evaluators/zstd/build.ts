import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { infrastructure, invalid } from 'clade/evaluator';
import type { Settings } from './settings.ts';
import type { Whose } from './worker.ts';

const run = promisify(execFile);
const OUTPUT_BYTES = 64 * 2 ** 20;
const TRACE_CHARACTERS = 4_000;

export interface Library {
  readonly path: string;
  /** SHA-256 of its bytes: what is equal here behaves equally. */
  readonly identity: string;
}

export interface BuildPlan {
  /** The checkout. */
  readonly directory: string;
  readonly whose: Whose;
  /** An empty or missing folder for what is made. */
  readonly into: string;
  /** Where objects of earlier builds are, if any. */
  readonly objects: string | null;
}

/**
 * Compiles the library with our own command: no build script of the candidate runs, and its flags are the root's. A source whose
 * preprocessed text equals one that was compiled before takes the object of that one, so that small changes build in seconds. No
 * path, time or line number gets into the library, so that a change of comments alone keeps the identity.
 *
 * @throws Refusal `build` when the candidate does not compile; MachineFault when the root does not
 */
export async function buildLibrary(plan: BuildPlan, settings: Settings): Promise<Library> {
  const { directory, into } = plan;
  const sources = globSync([...settings.sources], { cwd: directory }).sort();
  if (sources.length === 0) fail(plan.whose, `no file matches ${settings.sources.join(', ')}`, '');
  mkdirSync(join(into, 'objects'), { recursive: true });
  const objects: string[] = [];
  const waiting = sources.map((source, i) => ({ source, i }));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      objects[next.i] = await compileSource(plan, settings, next.source);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const path = join(into, 'library.so');
  await compile(plan, settings, ['-shared', '-s', '-Wl,--build-id=none', '-o', path, ...objects]);
  return { path, identity: `sha256:${createHash('sha256').update(readFileSync(path)).digest('hex')}` };
}

/** Builds driver.c, which is ours. @throws MachineFault when that fails */
export async function buildDriver(into: string, { compiler }: Settings): Promise<string> {
  mkdirSync(into, { recursive: true });
  const path = join(into, 'driver');
  const source = join(import.meta.dirname, 'driver.c');
  try {
    await run(compiler, ['-O2', '-o', path, source, '-ldl']);
  } catch (cause) {
    infrastructure('driver.c cannot be compiled', cause);
  }
  return path;
}

async function compileSource(plan: BuildPlan, settings: Settings, source: string): Promise<string> {
  const assembler = source.endsWith('.S');
  const flags = ['-fPIC', ...settings.flags, ...(assembler ? [] : ['-g0'])];
  const text = await compile(plan, settings, [...flags, '-E', '-P', source]);
  const key = createHash('sha256')
    .update(JSON.stringify([settings.compiler, flags, source, text]))
    .digest('hex');
  const object = join(plan.into, 'objects', `${key}.o`);
  const known = plan.objects === null ? object : join(plan.objects, `${key}.o`);
  if (existsSync(known)) {
    if (known !== object) copyFileSync(known, object);
    return object;
  }
  // Under another name first: a build that was ended half-way leaves no half object.
  await compile(plan, settings, [...flags, '-c', '-o', `${object}.part`, source]);
  renameSync(`${object}.part`, object);
  return object;
}

/** @returns what the compiler printed */
async function compile(plan: BuildPlan, settings: Settings, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(settings.compiler, [...args], { cwd: plan.directory, maxBuffer: OUTPUT_BYTES });
    return stdout;
  } catch (error) {
    const trace = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    return fail(plan.whose, `${basename(args.at(-1) ?? '')} does not build`, trace.slice(0, TRACE_CHARACTERS));
  }
}

function fail(whose: Whose, summary: string, evidence: string): never {
  if (whose === 'root') infrastructure(`the root: ${summary}\n${evidence}`);
  return invalid('build', summary, evidence);
}
