import type { WrittenCampaign } from './schema/campaign.ts';

/** A model server, resolved. */
export interface ProviderServer {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Name of the environment variable that holds the key; null: none is needed. The key itself is never stored. */
  readonly apiKeyEnv: string | null;
  /** US dollars for a million tokens, by model. */
  readonly prices: Readonly<
    Record<string, { readonly input: number; readonly cached?: number | undefined; readonly output: number }>
  >;
  /** Requests at the same time. */
  readonly concurrency: number;
}

/** Servers that need no entry in the file: where the services are, and where local programs listen by default. */
const KNOWN: Readonly<Record<string, readonly [baseUrl: string, apiKeyEnv: string | null]>> = {
  openai: ['https://api.openai.com/v1', 'OPENAI_API_KEY'],
  anthropic: ['https://api.anthropic.com', 'ANTHROPIC_API_KEY'],
  gemini: ['https://generativelanguage.googleapis.com', 'GEMINI_API_KEY'],
  openrouter: ['https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
  ollama: ['http://127.0.0.1:11434/v1', null],
  lmstudio: ['http://127.0.0.1:1234/v1', null],
  vllm: ['http://127.0.0.1:8000/v1', null],
  llamacpp: ['http://127.0.0.1:8080/v1', null],
};

const CONCURRENCY = 64;

/** The known servers and those of the file, which may change what is known of one. A new one needs `base_url`. */
export function resolveProviders(written: WrittenCampaign['providers']): ProviderServer[] {
  const names = [...new Set([...Object.keys(KNOWN), ...Object.keys(written)])];
  return names.map((name) => {
    const [knownUrl = '', knownKey = null] = KNOWN[name] ?? [];
    const { base_url: url, api_key_env: key, prices = {}, concurrency = CONCURRENCY } = written[name] ?? {};
    return {
      name,
      baseUrl: (url ?? knownUrl).replace(/\/+$/, ''),
      apiKeyEnv: key === undefined ? knownKey : key,
      prices,
      concurrency,
    };
  });
}

/** Those that are not as known, in the words of the file. */
export function writtenProviders(servers: readonly ProviderServer[]): WrittenCampaign['providers'] {
  const own = servers.filter(({ name, baseUrl, apiKeyEnv, prices, concurrency }) => {
    const known = KNOWN[name];
    const same = known?.[0] === baseUrl && known[1] === apiKeyEnv;
    return !same || Object.keys(prices).length > 0 || concurrency !== CONCURRENCY;
  });
  return Object.fromEntries(
    own.map(({ name, baseUrl, apiKeyEnv, prices, concurrency }) => [
      name,
      { base_url: baseUrl, api_key_env: apiKeyEnv, prices, concurrency },
    ]),
  );
}
