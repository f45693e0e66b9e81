import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { BEST_SCORE, judge } from '../../../campaigns/planted/judge.mjs';
import { type Campaign, loadCampaign } from '../../../src/config/index.ts';
import {
  createDescriptor,
  createProvider,
  type EmbeddingDeps,
  embedRoot,
  memoryCache,
  type RepositoryVector,
  readEligibility,
} from '../../../src/embedding/index.ts';
import { blobId, type Tree } from './tree.ts';

export { BEST_SCORE };

/** The campaign `planted` without Git and database: its target, its judge and its descriptor as functions of a tree. */
export interface Problem {
  readonly campaign: Campaign;
  readonly root: Tree;
  judge(tree: Tree): ReturnType<typeof judge>;
  /** What the archive projects for a tree. */
  describe(tree: Tree): Promise<Float32Array>;
}

export async function loadProblem(folder: string): Promise<Problem> {
  const { campaign, errors } = await loadCampaign(folder);
  if (campaign === null) throw new Error(errors.map(({ message }) => message).join('; '));
  const root = await readTree(campaign.target.repository);
  const { kind, provider } = campaign.search.descriptor;
  const descriptor = createDescriptor(kind);
  if (descriptor.needs.some((need) => need !== 'repository')) throw new Error(`"${kind}" needs Git`);
  const blobs = new Map<string, string>();
  const deps = embeddingOf(createProvider(provider, null), blobs);
  const vectorOf = (tree: Tree): Promise<RepositoryVector> => {
    const entries = [...tree].map(([path, text]) => ({ path, blob: blobId(text), size: text.length, mode: '100644' }));
    for (const text of tree.values()) blobs.set(blobId(text), text);
    return embedRoot(deps, entries);
  };
  const origin = await vectorOf(root);
  return {
    campaign,
    root,
    judge: (tree) => judge((name) => tree.get(`modules/${name}.js`)),
    describe: async (tree) => descriptor.describe({ candidate: await vectorOf(tree), root: origin }),
  };
}

function embeddingOf(provider: EmbeddingDeps['provider'], texts: ReadonlyMap<string, string>): EmbeddingDeps {
  return {
    provider,
    cache: memoryCache(),
    eligibility: readEligibility([]),
    signal: new AbortController().signal,
    source: {
      list: async () => [],
      changes: async () => [],
      async *read(wanted) {
        for (const blob of wanted) yield { blob, bytes: Buffer.from(texts.get(blob) ?? '') };
      },
    },
  };
}

async function readTree(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !basename(entry.name).startsWith('.'));
  const paths = files.map((file) => relative(folder, join(file.parentPath, file.name))).sort();
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)),
  );
}
