/** What one model call used, as the provider counts it. */
export interface TokenUsage {
  /** All input tokens, the cached ones among them. */
  readonly inputTokens: number;
  /** Input tokens that were read from the provider's cache. */
  readonly cachedTokens: number;
  /** Reasoning tokens among them. */
  readonly outputTokens: number;
  /** What the provider itself says it cost (OpenRouter); null where it says nothing. */
  readonly reportedCostUsd: number | null;
}
