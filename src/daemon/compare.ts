import { setImmediate as breathe } from 'node:timers/promises';
import type { Campaign } from '../config/index.ts';
import {
  createDescriptor,
  createProvider,
  type DescriptorKind,
  decodeFloat64,
  descriptorKinds,
  type EmbeddingProvider,
  memoryCache,
  type RepositoryVector,
} from '../embedding/index.ts';
import { CladeError, InfrastructureError, InterruptedError } from '../errors.ts';
import { changesBetween, type Hub } from '../git/index.ts';
import { gatherFacts } from '../pipeline/index.ts';
import { type DescriptorReport, reportDescriptor } from '../qd/index.ts';
import { looseEmbeddings } from './models/index.ts';
import { entryOf } from './restore.ts';
import type { MaterialView } from './views/materials.ts';

/** What became of one descriptor on a history. */
export type DescriptorRow = { readonly kind: DescriptorKind } & (
  | { readonly report: DescriptorReport; readonly why: null }
  /** It cannot be computed for this campaign, and why. */
  | { readonly report: null; readonly why: string }
);

export interface History {
  readonly campaign: Campaign;
  readonly hub: Hub;
  /** In settlement order, the root first. */
  readonly candidates: readonly MaterialView[];
}

export interface CompareOptions {
  readonly signal: AbortSignal;
  /** Told before each candidate that something is computed for. */
  readonly onProgress: (what: string, done: number, of: number) => void;
}

/**
 * Computes every kind of descriptor for a settled history and measures what each made of it. Runs neither agent nor
 * evaluator; `diff` asks the embedding provider. The candidates of all islands are taken as one population.
 * @throws InterruptedError when `signal` ends it.
 */
export async function compareDescriptors(history: History, options: CompareOptions): Promise<DescriptorRow[]> {
  const { campaign, hub, candidates } = history;
  const [root] = candidates;
  if (root === undefined) return [];
  const files = new Map<number, ReadonlySet<string>>();
  for (const candidate of steps('changed files', candidates, options)) {
    const changes = await changesBetween(hub, root.commit, candidate.commit);
    files.set(candidate.ordinal, new Set(changes.flatMap(({ path, oldPath }) => oldPath ?? path)));
  }
  const settings = { ...campaign.search, objectives: campaign.evaluator.objectives };
  const rows: DescriptorRow[] = [];
  for (const kind of descriptorKinds) {
    try {
      const vectors = await vectorsOf(kind, history, root, options);
      const entries = candidates.map((candidate, index) =>
        entryOf(campaign, candidate.ordinal, candidate, vectors[index] ?? new Float32Array(0)),
      );
      await breathe();
      rows.push({ kind, report: reportDescriptor(settings, entries, files), why: null });
    } catch (error) {
      if (!(error instanceof CladeError) || error instanceof InterruptedError) throw error;
      rows.push({ kind, report: null, why: error.message });
    }
  }
  return rows;
}

const NOTHING: RepositoryVector = { sum: new Float64Array(0), count: 0, depth: 0 };

async function vectorsOf(
  kind: DescriptorKind,
  { campaign, hub, candidates }: History,
  root: MaterialView,
  options: CompareOptions,
): Promise<Float32Array[]> {
  const { needs, describe } = createDescriptor(kind);
  const cache = memoryCache();
  let provider: EmbeddingProvider | null = null;
  // Only who embeds text needs a key.
  const embedding = () => {
    provider ??= createProvider(
      campaign.search.descriptor.provider,
      looseEmbeddings(campaign.search.descriptor.provider, process.env),
    );
    return { provider, cache, signal: options.signal };
  };
  const repository = (of: MaterialView) => (needs.includes('repository') ? repositoryOf(of) : NOTHING);
  const vectors: Float32Array[] = [];
  for (const candidate of steps(kind, candidates, options)) {
    const { commit, tree } = candidate;
    const facts = await gatherFacts(hub, embedding, { needs, rootCommit: root.commit, commit, tree });
    const features = { candidate: candidate.features, root: root.features };
    const input = { candidate: repository(candidate), root: repository(root), features };
    vectors.push(describe({ ...input, ...facts }));
  }
  return vectors;
}

function repositoryOf({ ordinal, repository }: MaterialView): RepositoryVector {
  if (repository !== null) return { ...repository, sum: decodeFloat64(Buffer.from(repository.sum, 'base64')) };
  throw new InfrastructureError(`the repository vector of job ${ordinal} is not in the database`);
}

/** The candidates one by one, with word of each. */
function* steps(
  what: string,
  candidates: readonly MaterialView[],
  { signal, onProgress }: CompareOptions,
): Generator<MaterialView> {
  for (const [done, candidate] of candidates.entries()) {
    if (signal.aborted) throw new InterruptedError('the comparison was interrupted');
    onProgress(what, done, candidates.length);
    yield candidate;
  }
}
