import { measureSyntax, type SyntaxMeasure } from '../agent/index.ts';
import {
  type Change,
  type DescriptorInput,
  type DescriptorNeed,
  decodeText,
  type EmbeddingDeps,
  hunkVector,
  parseDiff,
} from '../embedding/index.ts';
import { changesBetween, diffText, type Hub, readBlobs } from '../git/index.ts';

/** What Git knows of a candidate that a descriptor may need. */
export type Facts = Pick<DescriptorInput, 'hunks' | 'change' | 'tree'>;

export interface FactsRequest {
  readonly needs: readonly DescriptorNeed[];
  readonly rootCommit: string;
  readonly commit: string;
  readonly tree: string;
}

/** More of a diff than this says nothing new about where a candidate belongs. */
const DIFF_BYTES = 4 * 1024 * 1024;
/** Files whose syntax is measured, the first by path. */
const MOST_FILES = 64;

/** Gathers what is needed, and nothing else; `embedding` is called when text is to be embedded. @throws InfrastructureError when the provider cannot answer. */
export async function gatherFacts(
  hub: Hub,
  embedding: () => Pick<EmbeddingDeps, 'provider' | 'cache' | 'signal'>,
  { needs, rootCommit, commit, tree }: FactsRequest,
): Promise<Facts> {
  const [hunks, change] = [needs.includes('hunks'), needs.includes('change')];
  if (!hunks && !change) return { tree };
  const files = parseDiff((await diffText(hub, rootCommit, commit, { maxBytes: DIFF_BYTES })).text);
  return {
    tree,
    ...(hunks ? { hunks: await hunkVector(embedding(), files) } : {}),
    ...(change ? { change: { files, syntax: await syntaxBetween(hub, rootCommit, commit) } } : {}),
  };
}

async function syntaxBetween(hub: Hub, rootCommit: string, commit: string): Promise<Change['syntax']> {
  const changes = (await changesBetween(hub, rootCommit, commit)).slice(0, MOST_FILES);
  const sides = changes.map(({ path, oldPath = path, oldBlob, newBlob, oldMode, newMode }) => ({
    before: isFile(oldMode) ? { path: oldPath, blob: oldBlob } : null,
    after: isFile(newMode) ? { path, blob: newBlob } : null,
  }));
  const blobs = new Set(sides.flatMap(({ before, after }) => [before, after].flatMap((side) => side?.blob ?? [])));
  const texts = new Map<string, string | null>();
  for await (const { oid, bytes } of readBlobs(hub, blobs)) texts.set(oid, decodeText(bytes));
  const measure = async (side: { path: string; blob: string } | null): Promise<SyntaxMeasure | null> => {
    const text = side === null ? null : (texts.get(side.blob) ?? null);
    return side === null || text === null ? null : measureSyntax(side.path, text);
  };
  const measured: { before: SyntaxMeasure | null; after: SyntaxMeasure | null }[] = [];
  for (const { before, after } of sides) measured.push({ before: await measure(before), after: await measure(after) });
  return measured;
}

/** A plain file: neither absent nor a link nor a submodule. */
function isFile(mode: string): boolean {
  return mode.startsWith('100');
}
