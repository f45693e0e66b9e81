import type { ProviderConfig } from '../../config/index.ts';
import type { EmbeddingAccess } from '../../embedding/index.ts';
import { ConfigurationError } from '../../errors.ts';
import { clientOf, createGateway, type Gateway, type Holder, type Provider } from '../../gateway/index.ts';

/** The server that a campaign embeds with, as the gateway knows it; null for the built-in provider. */
export function embedderOf(config: ProviderConfig): Provider | null {
  if (config.kind === 'local') return null;
  const baseUrl = (config.baseUrl ?? 'https://api.openai.com/v1').replace(/\/+$/, '');
  return {
    name: 'embedding',
    baseUrl,
    apiKeyEnv: config.apiKeyEnv,
    prices: {},
    concurrency: 16,
    keyless: config.baseUrl !== null,
  };
}

/** A way to the embedding server that counts against the budgets of a campaign. */
export function embeddingAccess(
  gateway: Gateway,
  { name }: Provider,
  holder: Pick<Holder, 'campaignId' | 'budgets'>,
): EmbeddingAccess {
  // Every request has its own deadline: it is asked for by the provider, see `embedding`.
  const deadline = new AbortController().signal;
  const ticket = gateway.issue({ ...holder, ordinal: null, role: 'embedding', deadline });
  return {
    ...clientOf(gateway, ticket, name),
    refuse() {
      const { fault } = ticket;
      ticket.fault = null;
      if (fault?.kind === 'shut') {
        throw new ConfigurationError(fault.message, {
          hint: 'mend the key or the quota of the embedding provider, then resume',
        });
      }
    },
  };
}

/** A way to the embedding server for a command that works on no campaign: what it uses is in no ledger. */
export function looseEmbeddings(
  config: ProviderConfig,
  environment: Readonly<Record<string, string | undefined>>,
): EmbeddingAccess | null {
  const embedder = embedderOf(config);
  if (embedder === null) return null;
  const gateway = createGateway({ providers: [embedder], environment, onCall: async () => {} });
  return embeddingAccess(gateway, embedder, { campaignId: 0, budgets: [] });
}
