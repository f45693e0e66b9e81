import { type Court, type SettledMemory, settleReady } from '../../../src/daemon/settle.ts';
import { encodeFloat64 } from '../../../src/embedding/index.ts';
import { generatorFor, type Population } from '../../../src/qd/index.ts';
import { toJson } from '../../../src/store/index.ts';

/** What settling one job took. */
export interface Settled {
  readonly ms: number;
  /** Whether a new epoch began with it. */
  readonly refitted: boolean;
}

/** Every so many jobs one is refused by the evaluator. */
const REFUSED = 10;

/** Puts jobs into the database as agents and evaluators would have left them, then settles them one by one. */
export async function settleChunk(
  court: Court,
  memory: SettledMemory,
  chunk: { readonly first: number; readonly count: number },
): Promise<Settled[]> {
  await insert(court, chunk);
  const settled: Settled[] = [];
  const { islands } = memory;
  let epoch = epochOf(islands);
  let last = performance.now();
  const onSettled = () => {
    const now = performance.now();
    settled.push({ ms: now - last, refitted: epochOf(islands) !== epoch });
    epoch = epochOf(islands);
    last = now;
  };
  const { signal } = new AbortController();
  while ((await settleReady(court, memory, { onSettled, signal })).more);
  if (settled.length !== chunk.count) throw new Error(`${settled.length} of ${chunk.count} jobs were settled`);
  return settled;
}

function epochOf([population]: readonly Population[]): number {
  return population?.epoch ?? 0;
}

/** One statement a table: what the workers write in many is not what is measured here. */
async function insert({ store, campaignId, describer }: Court, { first, count }: { first: number; count: number }) {
  const ordinals = Array.from({ length: count }, (_, index) => first + index);
  const now = new Date();
  await store.db.transaction().execute(async (trx) => {
    const jobs = ordinals.map((ordinal) => ({
      campaignId,
      ordinal,
      kind: ordinal === 0 ? ('root' as const) : ('generate' as const),
      ...(ordinal === 0
        ? {}
        : { baseOrdinal: 0, batch: first, decision: toJson({ version: Math.max(0, ordinal - 4) }) }),
      inspirations: toJson([]),
      state: 'generated' as const,
      title: `mutate: constant in src/file${ordinal}.js`,
      brief: 'brief '.repeat(400),
      transcript: 'transcript '.repeat(50),
      finishedAt: now,
    }));
    await trx.insertInto('jobs').values(jobs).execute();
    const candidates = ordinals.map((ordinal) => ({
      campaignId,
      ordinal,
      commit: `commit${ordinal}`,
      tree: `tree${ordinal}`,
      files: 1,
      added: 1,
      deleted: 1,
      changedPaths: toJson(['src/file.js']),
    }));
    await trx.insertInto('candidates').values(candidates).execute();
    await trx
      .insertInto('evaluations')
      .values(ordinals.map((ordinal) => evaluation(campaignId, ordinal, now)))
      .execute();
    const vectors = ordinals.map((ordinal) => ({
      campaignId,
      provider: describer.provider.id,
      tree: `tree${ordinal}`,
      sum: encodeFloat64(vectorOf(ordinal, describer.provider.dimensions)),
      count: 1,
      depth: 1,
    }));
    await trx.insertInto('repositoryVectors').values(vectors).execute();
  });
}

function evaluation(campaignId: number, ordinal: number, finishedAt: Date) {
  const rng = generatorFor({ seed: 1, island: 0, ordinal, purpose: 'bench evaluation' });
  const asked = {
    campaignId,
    tree: `tree${ordinal}`,
    split: 'train' as const,
    commit: `commit${ordinal}`,
    ordinal,
    state: 'done' as const,
    finishedAt,
  };
  if (ordinal % REFUSED === REFUSED - 1) return { ...asked, status: 'invalid' as const, kind: 'test' };
  // Slowly better, so that the fronts go on changing.
  const values = { speed: 1 + 1e-5 * ordinal + 0.1 * rng.unit(), size: 2 - 1e-5 * ordinal - 0.1 * rng.unit() };
  return {
    ...asked,
    status: 'valid' as const,
    objectives: toJson(values),
    scores: toJson(values),
    intervals: toJson({}),
    metrics: toJson({}),
    features: toJson({}),
    identity: `program${ordinal}`,
  };
}

/** Without structure: the hardest for a fit, since no component stands out. */
function vectorOf(ordinal: number, dimensions: number): Float64Array {
  const rng = generatorFor({ seed: 1, island: 0, ordinal, purpose: 'bench vector' });
  return Float64Array.from({ length: dimensions }, () => rng.unit() - 0.5);
}
