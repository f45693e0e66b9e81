import { join } from 'node:path';
import { type Direction, type Sample, summarise } from './cells.ts';
import { type Corpus, KINDS, type Kind, makeCorpus } from './corpus/index.ts';
import { type Builds, checkTexts } from './gates.ts';
import { readItems, sizeOf, writeTexts } from './items.ts';
import { type Job, type PairPlan, type Timing, timeJobs } from './pair.ts';
import type { Settings } from './settings.ts';
import { withWorker } from './worker.ts';

const MOST_PASSES = 12;
const WARM_BYTES = 2 ** 18;

/** The data of one kind and round. */
interface Material {
  readonly kind: Kind;
  readonly texts: readonly Buffer[];
  readonly file: string;
}

interface Plan extends PairPlan {
  readonly scratch: string;
  /** How many passes a cell gets, by `keyOf`; 1 where there is none. */
  readonly passes: ReadonlyMap<string, number>;
}

/**
 * Measures all cells, round by round. Every round has data of its own, equal for both versions, and every call of the library
 * gets an input that its process has not seen before, so there is nothing to remember. Twelve rounds after one to warm up,
 * up to sixteen while a geometric mean is not precise enough.
 *
 * @param scratch a folder for files
 * @throws Refusal `gate` when a frame of the candidate's is not what it compressed
 */
export async function measureRounds(
  builds: Builds,
  seed: string,
  settings: Settings,
  scratch: string,
): Promise<(readonly Sample[])[]> {
  const corpora = KINDS.map((kind) => ({ kind, corpus: makeCorpus(seed, kind) }));
  const warm = await makeWarm(builds, makeCorpus(seed, 'text'), scratch);
  const measure = async (round: number, passes: Plan['passes']): Promise<Sample[]> => {
    const materials = corpora.map(({ kind, corpus }) =>
      makeMaterial(kind, corpus(round, settings.mebibytes * 2 ** 20), scratch),
    );
    const plan = { builds, warm, scratch, passes, rootFirst: round % 2 === 0 };
    const samples: Sample[] = [];
    for (const level of settings.levels) samples.push(...(await measureLevel(plan, level, materials)));
    return samples;
  };

  const passes = new Map<string, number>();
  for (const { cell, root } of await measure(-1, passes)) {
    passes.set(keyOf(cell), Math.min(Math.max(Math.ceil(settings.minimumMs / root), 1), MOST_PASSES));
  }
  const rounds: Sample[][] = [];
  while (rounds.length < settings.rounds || (rounds.length < settings.maxRounds && !precise(rounds, settings))) {
    rounds.push(await measure(rounds.length, passes));
  }
  return rounds;
}

function precise(rounds: readonly (readonly Sample[])[], { trim, precision }: Settings): boolean {
  const { compression, decompression } = summarise(rounds, trim);
  return Math.max(compression.standardError, decompression.standardError) <= precision;
}

async function makeWarm(builds: Builds, corpus: Corpus, scratch: string): Promise<PairPlan['warm']> {
  const warm = { text: join(scratch, 'warm.in'), frames: join(scratch, 'warm.frames') };
  writeTexts(warm.text, corpus('warm', WARM_BYTES));
  await withWorker(builds.root, async (root) => {
    await root.load(1, warm.text);
    await root.run();
    await root.save(warm.frames);
  });
  return warm;
}

function makeMaterial(kind: Kind, texts: readonly Buffer[], scratch: string): Material {
  const file = join(scratch, `${kind}.in`);
  writeTexts(file, texts);
  return { kind, texts, file };
}

/** Both directions at one level. Each version decompresses what it compressed: that is what a user who updates gets. */
async function measureLevel(plan: Plan, level: number, materials: readonly Material[]): Promise<Sample[]> {
  const passesOf = (direction: Direction, kind: Kind): number =>
    plan.passes.get(keyOf({ level, kind, direction })) ?? 1;
  const writing = materials.map(({ kind, file }): Job => {
    const outputs = { root: join(plan.scratch, `${kind}.root`), candidate: join(plan.scratch, `${kind}.candidate`) };
    return { inputs: { root: file, candidate: file }, outputs, passes: passesOf('compression', kind) };
  });
  const written = await timeJobs(plan, level, writing);
  await checkFrames(plan, level, writing, materials);

  const reading = materials.map(({ kind }, i): Job => {
    const inputs = writing[i]?.outputs ?? { root: '', candidate: '' };
    const outputs = { root: `${inputs.root}.out`, candidate: `${inputs.candidate}.out` };
    return { inputs, outputs, passes: passesOf('decompression', kind) };
  });
  const read = await timeJobs(plan, null, reading);
  for (const [i, { outputs }] of reading.entries()) {
    const what = `level ${level}: what the candidate compressed, it decompresses`;
    checkTexts(readItems(outputs.candidate), materials[i]?.texts ?? [], 'candidate', what);
  }

  const sizes = writing.map(({ outputs }) => ({
    rootBytes: sizeOf(readItems(outputs.root)),
    candidateBytes: sizeOf(readItems(outputs.candidate)),
  }));
  const samplesOf = (direction: Direction, timings: readonly Timing[]): Sample[] =>
    timings.map(({ root, candidate, passes }, i) => {
      const { kind, texts } = materials[i] as Material;
      const bytes = passes * texts.reduce((sum, text) => sum + text.length, 0);
      return {
        cell: { level, kind, direction },
        root,
        candidate,
        bytes,
        ...(sizes[i] ?? { rootBytes: 0, candidateBytes: 0 }),
      };
    });
  return [...samplesOf('compression', written), ...samplesOf('decompression', read)];
}

/** The root decodes what the candidate wrote while it was timed. */
async function checkFrames(
  { builds, scratch }: Plan,
  level: number,
  jobs: readonly Job[],
  materials: readonly Material[],
): Promise<void> {
  const output = join(scratch, 'check.out');
  await withWorker(builds.root, async (root) => {
    for (const [i, { outputs }] of jobs.entries()) {
      await root.load(null, outputs.candidate);
      await root.run();
      await root.save(output);
      const what = `level ${level}: what the candidate compressed, the root decompresses`;
      checkTexts(readItems(output), materials[i]?.texts ?? [], 'candidate', what);
    }
  });
}

function keyOf({ level, kind, direction }: Sample['cell']): string {
  return `${direction} ${level} ${kind}`;
}
