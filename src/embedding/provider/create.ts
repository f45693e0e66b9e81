import type { ProviderConfig } from '../../config/index.ts';
import { ConfigurationError } from '../../errors.ts';
import { localProvider } from './local.ts';
import { openAiProvider } from './openai.ts';
import type { EmbeddingProvider } from './provider.ts';

/** The environment variables that keys are taken from, by name. */
export type ProviderEnvironment = Readonly<Record<string, string | undefined>>;

/** The provider that a campaign asks for. @throws ConfigurationError when its key is needed and not in the environment. */
export function createProvider(config: ProviderConfig, environment: ProviderEnvironment): EmbeddingProvider {
  if (config.kind === 'local') return localProvider(config.dimensions);
  const apiKey = environment[config.apiKeyEnv];
  if (apiKey === undefined && config.baseUrl === null) {
    throw new ConfigurationError(`the embedding provider needs a key in ${config.apiKeyEnv}`, {
      hint: `set ${config.apiKeyEnv}, or use the built-in provider: descriptor: {provider: local}`,
    });
  }
  return openAiProvider({
    model: config.model,
    dimensions: config.dimensions,
    baseUrl: config.baseUrl,
    // Servers on one's own machine take no key, but the client insists on one.
    apiKey: apiKey ?? 'none',
  });
}
