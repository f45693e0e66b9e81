import type { ProviderConfig } from '../../config/index.ts';
import { ConfigurationError } from '../../errors.ts';
import type { EmbeddingAccess } from './access.ts';
import { localProvider } from './local.ts';
import { openAiProvider } from './openai.ts';
import type { EmbeddingProvider } from './provider.ts';

/**
 * The provider that a campaign asks for.
 * @param access how its server is reached; the built-in provider needs none
 */
export function createProvider(config: ProviderConfig, access: EmbeddingAccess | null): EmbeddingProvider {
  if (config.kind === 'local') return localProvider(config.dimensions);
  if (access === null) throw new RangeError('an embedding server is reached through the gateway');
  return openAiProvider({ model: config.model, dimensions: config.dimensions, access });
}

/** @throws ConfigurationError when the key of a campaign's embedding server is needed and not in the environment. */
export function requireEmbeddingKey(
  config: ProviderConfig,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  if (config.kind === 'local' || config.baseUrl !== null || environment[config.apiKeyEnv] !== undefined) return;
  throw new ConfigurationError(`the embedding provider needs a key in ${config.apiKeyEnv}`, {
    hint: `set ${config.apiKeyEnv}, or use the built-in provider: descriptor: {provider: local}`,
  });
}
