/** The way to a model server that is metered, priced and limited elsewhere. */
export interface EmbeddingAccess {
  readonly baseURL: string;
  readonly fetch: typeof fetch;
  /** Called when a request failed for good. @throws ConfigurationError when somebody has to mend something first. */
  refuse(): void;
}
