import { join } from 'node:path';
import { infrastructure, invalid } from 'clade/evaluator';
import { edgeCases, KINDS, makeCorpus, random } from './corpus/index.ts';
import { damage } from './damage.ts';
import { type Item, readItems, writeItems, writeTexts } from './items.ts';
import type { Settings } from './settings.ts';
import { type Build, type Whose, withWorker } from './worker.ts';

/** What a candidate must pass before anything is timed. Every gate is a refusal of kind `gate`. */

const TIMED_BYTES = 2 ** 20;
const GATE_BYTES = 2 ** 18;
const DAMAGED_LEVEL = 3;
/** Of the kernel's account of memory, which goes by pages and is not exact. */
const MEMORY_SLACK_KIB = 512;

export interface Builds {
  readonly root: Build;
  readonly candidate: Build;
}

/** The memory that the library took for itself at one level, in KiB. */
export interface MemoryUse {
  readonly level: number;
  readonly direction: 'compression' | 'decompression';
  readonly root: number;
  readonly candidate: number;
}

/**
 * Round trips of small corpora and of odd inputs at all levels, frames of either version decoded by the other, damaged frames,
 * peak memory.
 *
 * @param scratch a folder for files
 * @throws Refusal `gate`
 */
export async function checkGates(
  builds: Builds,
  seed: string,
  settings: Settings,
  scratch: string,
): Promise<MemoryUse[]> {
  const corpora = KINDS.map((kind) => makeCorpus(seed, kind));
  const texts = (bytes: number): Buffer[] => [
    ...edgeCases(random(seed, 'edges', bytes)),
    ...corpora.flatMap((corpus) => corpus(`gate ${bytes}`, bytes)),
  ];
  const timed = texts(TIMED_BYTES);
  const uses: MemoryUse[] = [];
  for (const level of settings.levels) uses.push(...(await checkLevel(builds, level, timed, scratch)));
  const small = texts(GATE_BYTES);
  for (const level of settings.gateLevels) uses.push(...(await checkLevel(builds, level, small, scratch)));
  await checkDamage(builds, small, seed, scratch);
  for (const use of uses) checkMemory(use, settings.memoryGrowth);
  return uses;
}

async function checkLevel(
  builds: Builds,
  level: number,
  texts: readonly Buffer[],
  scratch: string,
): Promise<MemoryUse[]> {
  const input = join(scratch, 'gate.in');
  writeTexts(input, texts);
  const frames = { root: join(scratch, 'gate.root'), candidate: join(scratch, 'gate.candidate') };
  const compressing = {
    root: await work(builds.root, level, input, frames.root),
    candidate: await work(builds.candidate, level, input, frames.candidate),
  };
  const output = join(scratch, 'gate.out');
  const decode = async (whose: Whose, of: Whose): Promise<number> => {
    const memory = await work(builds[whose], null, frames[of], output);
    const what = `level ${level}: what the ${of} compressed, the ${whose} decompresses`;
    checkTexts(readItems(output), texts, whose === 'root' && of === 'root' ? 'root' : 'candidate', what);
    return memory;
  };
  checkNoErrors(readItems(frames.candidate), texts, level);
  await decode('root', 'candidate');
  await decode('candidate', 'root');
  const decompressing = { root: await decode('root', 'root'), candidate: await decode('candidate', 'candidate') };
  return [
    { level, direction: 'compression', ...compressing },
    { level, direction: 'decompression', ...decompressing },
  ];
}

/** One job in a fresh process. @returns the memory that it took after everything of ours was in place, in KiB */
async function work(build: Build, level: number | null, input: string, output: string): Promise<number> {
  return await withWorker(build, async (worker) => {
    await worker.load(level, input);
    const before = worker.residentKib();
    await worker.run();
    const taken = worker.peakKib() - before;
    await worker.save(output);
    return Math.max(taken, 0);
  });
}

function checkNoErrors(frames: readonly Item[], texts: readonly Buffer[], level: number): void {
  const at = frames.findIndex(({ bytes }) => bytes === null);
  if (at >= 0) invalid('gate', `level ${level}: compressing input ${at} of ${texts[at]?.length} bytes gives an error`);
}

/**
 * Compares what was decoded with the originals.
 *
 * @param blame whose fault a difference is
 * @throws Refusal `gate`, or MachineFault when it is the root's
 */
export function checkTexts(decoded: readonly Item[], texts: readonly Buffer[], blame: Whose, what: string): void {
  const at = texts.findIndex((text, i) => !(decoded[i]?.bytes?.equals(text) ?? false));
  if (at < 0 && decoded.length === texts.length) return;
  const got = decoded[at]?.bytes;
  const how = got ? (got.length === texts[at]?.length ? 'to other bytes' : `to ${got.length} bytes`) : 'to an error';
  const summary = `${what} ${how} (input ${at} of ${texts[at]?.length} bytes)`;
  if (blame === 'root') infrastructure(summary);
  invalid('gate', summary);
}

/** A damaged frame gives what the root makes of it, most often an error, and no crash. */
async function checkDamage(builds: Builds, texts: readonly Buffer[], seed: string, scratch: string): Promise<void> {
  const [input, frames] = [join(scratch, 'damage.in'), join(scratch, 'damage.frames')];
  writeTexts(input, texts);
  await work(builds.root, DAMAGED_LEVEL, input, frames);
  writeItems(input, damage(readItems(frames), random(seed, 'damage')));
  const outputs = { root: join(scratch, 'damage.root'), candidate: join(scratch, 'damage.candidate') };
  await work(builds.root, null, input, outputs.root);
  await work(builds.candidate, null, input, outputs.candidate);
  const [root, candidate] = [readItems(outputs.root), readItems(outputs.candidate)];
  for (const [i, { bytes }] of root.entries()) {
    const other = candidate[i]?.bytes ?? null;
    if (bytes === null && other !== null) invalid('gate', `damaged frame ${i} decompresses without an error`);
    if (bytes !== null && !(other?.equals(bytes) ?? false)) {
      invalid(
        'gate',
        `damaged frame ${i}, which the root still reads, decompresses to ${other === null ? 'an error' : 'other bytes'}`,
      );
    }
  }
}

/** @throws Refusal `gate` when the candidate takes more than the declared share above the root */
export function checkMemory({ level, direction, root, candidate }: MemoryUse, growth: number): void {
  if (candidate <= root * (1 + growth) + MEMORY_SLACK_KIB) return;
  invalid('gate', `${direction} at level ${level} takes ${candidate} KiB of memory, the root ${root} KiB`);
}
