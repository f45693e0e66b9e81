import type { Eligibility } from '../files/eligibility.ts';
import type { FileSource } from '../files/source.ts';
import type { EmbeddingProvider } from '../provider/provider.ts';
import type { VectorCache } from './cache.ts';

/** What embedding has to tell besides the vectors; `lines` is how many at the end of the file were not embedded. */
export type EmbeddingReport = { readonly kind: 'tail-dropped'; readonly blob: string; readonly lines: number };

/** Everything outside that computing vectors needs. */
export interface EmbeddingDeps {
  readonly provider: EmbeddingProvider;
  readonly cache: VectorCache;
  readonly source: FileSource;
  readonly eligibility: Eligibility;
  readonly signal: AbortSignal;
  readonly report?: (report: EmbeddingReport) => void;
}
