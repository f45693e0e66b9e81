/**
 * From source files to the vector that places a commit in the grid.
 *
 * - files/: which files count (`readEligibility`, `loadEligibility`, `eligible`, `eligibleFiles`, `decodeText`) and
 *   where the pipeline plugs Git in (`FileSource`).
 * - `chunk`: a text → chunks that an embedding model can take.
 * - provider/: chunks → vectors: `createProvider` picks the built-in feature hash or an OpenAI-compatible server.
 * - vector/: `fileVectors` (cached by blob), `embedRoot`, `updateVector`, `stepVector`, and the bytes they are stored as.
 * - change/: what a candidate changed against the root: `parseDiff`, `hunkVector`, and `Change`, with the syntax.
 * - descriptor/: repository vectors, changes or features → the vector that is projected: `createDescriptor`, `descriptorKinds`.
 */

export { hunkVector } from './change/hunk-vector.ts';
export { type ChangedFile, type Hunk, parseDiff } from './change/hunks.ts';
export type { Change, SyntaxChange, SyntaxMeasure } from './change/structure.ts';
export { type Chunk, type Chunked, chunk } from './chunk.ts';
export type { Descriptor, DescriptorInput, DescriptorNeed, Features } from './descriptor/descriptor.ts';
export { createDescriptor, type DescriptorKind, descriptorKinds } from './descriptor/registry.ts';
export {
  type Eligibility,
  eligible,
  type IgnoreFile,
  readEligibility,
} from './files/eligibility.ts';
export { eligibleFiles, loadEligibility } from './files/list.ts';
export type { BlobContent, FileSource, SourceChange, SourceEntry } from './files/source.ts';
export { decodeText, MAX_FILE_BYTES } from './files/text.ts';
export type { EmbeddingAccess } from './provider/access.ts';
export { createProvider, requireEmbeddingKey } from './provider/create.ts';
export { localProvider } from './provider/local.ts';
export { type OpenAiProviderOptions, openAiProvider } from './provider/openai.ts';
export type { EmbeddingProvider } from './provider/provider.ts';
export { decodeFloat32, decodeFloat64, encodeFloat32, encodeFloat64 } from './vector/bytes.ts';
export { cacheKey, memoryCache, type VectorCache } from './vector/cache.ts';
export type { EmbeddingDeps, EmbeddingReport } from './vector/deps.ts';
export { fileVectors } from './vector/file.ts';
export {
  embedRoot,
  needsRebase,
  REBASE_DEPTH,
  type RepositoryVector,
  stepVector,
  updateVector,
} from './vector/repository.ts';
