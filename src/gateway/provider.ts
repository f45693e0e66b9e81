import type { Price } from './prices.ts';

/** A model server and how it is reached. */
export interface Provider {
  readonly name: string;
  /** Without a slash at its end; what an agent's path is put behind. */
  readonly baseUrl: string;
  /** Name of the environment variable with the key; null: none is needed. */
  readonly apiKeyEnv: string | null;
  /** Whether it is asked without a key where there is none: a server on one's own machine takes no key. */
  readonly keyless?: boolean;
  /** By model. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Requests at the same time. */
  readonly concurrency: number;
}
