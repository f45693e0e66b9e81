/** Anything that turns texts into vectors. */
export interface EmbeddingProvider {
  /** `provider:model:dimensions`; two providers of one id give interchangeable vectors, so it keys the cache. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector of `dimensions` finite numbers per text, in the order of the texts, each of length 1 (or 0 for a text
   * without content).
   * @throws InfrastructureError when the provider cannot answer; InterruptedError when `signal` fired.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}
