import {
  createDescriptor,
  createProvider,
  type Descriptor,
  type Eligibility,
  type EmbeddingAccess,
  type EmbeddingDeps,
  type EmbeddingProvider,
  embedRoot,
  type FileSource,
  loadEligibility,
  type RepositoryVector,
  stepVector,
  type VectorCache,
} from '../embedding/index.ts';
import { changesBetween, type Hub, listTree, readBlobs } from '../git/index.ts';
import { type Facts, gatherFacts } from './facts.ts';
import type { Workshop } from './workshop.ts';

const ABSENT = /^0+$/;

/** Git as the source of files for embedding. */
export function fileSource(hub: Hub): FileSource {
  return {
    list: (commit) => listTree(hub, commit),
    async changes(parent, child) {
      const changes = await changesBetween(hub, parent, child);
      return changes.map(({ oldBlob, newBlob, ...change }) => ({
        ...change,
        oldBlob: ABSENT.test(oldBlob) ? null : oldBlob,
        newBlob: ABSENT.test(newBlob) ? null : newBlob,
      }));
    },
    async *read(blobs) {
      for await (const { oid, bytes } of readBlobs(hub, blobs)) yield { blob: oid, bytes };
    },
  };
}

/** Computes the vectors of commits for one campaign. */
export interface Describer {
  readonly provider: EmbeddingProvider;
  readonly descriptor: Descriptor;
  readonly root: RepositoryVector;
  /** What else the campaign's descriptor needs of a candidate, or of the root. */
  facts(candidate: { readonly commit: string; readonly tree: string }, signal: AbortSignal): Promise<Facts>;
  /** The vector of `child` from that of its parent. */
  step(
    parent: { readonly commit: string; readonly vector: RepositoryVector },
    child: string,
    signal: AbortSignal,
  ): Promise<RepositoryVector>;
}

/**
 * Reads the ignore rules of the root and embeds its files; a second start finds them in the cache.
 * @param access how the embedding server is reached; null with the built-in provider
 */
export async function openDescriber(
  workshop: Workshop,
  { cache, access }: { readonly cache: VectorCache; readonly access: EmbeddingAccess | null },
  signal: AbortSignal,
): Promise<Describer> {
  const { kind, provider: config } = workshop.campaign.search.descriptor;
  const provider = createProvider(config, access);
  const source = fileSource(workshop.hub);
  const entries = await source.list(workshop.root.commit);
  const eligibility: Eligibility = await loadEligibility(source, workshop.root.commit);
  const depsWith = (signal: AbortSignal): EmbeddingDeps => ({
    provider,
    cache,
    source,
    eligibility,
    signal,
  });
  const descriptor = createDescriptor(kind);
  return {
    provider,
    descriptor,
    root: await embedRoot(depsWith(signal), entries),
    facts: ({ commit, tree }, signal) =>
      gatherFacts(workshop.hub, () => ({ provider, cache, signal }), {
        needs: descriptor.needs,
        rootCommit: workshop.root.commit,
        commit,
        tree,
      }),
    step: (parent, child, signal) =>
      stepVector(depsWith(signal), { parent: parent.vector, parentCommit: parent.commit, child }),
  };
}
