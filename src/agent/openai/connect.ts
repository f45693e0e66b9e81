import OpenAI from 'openai';
import type { OpenaiConfig } from '../../config/index.ts';
import type { ModelAccess } from '../models.ts';
import { askByChat } from './conversation/chat.ts';
import type { Ask } from './conversation/entry.ts';
import { askByResponses } from './conversation/responses.ts';
import type { Tool } from './tools/index.ts';

/** A model as it is configured, behind the gateway. */
export function connect(
  config: OpenaiConfig,
  models: ModelAccess,
  { system, tools }: { readonly system: string; readonly tools: readonly Tool[] },
): Ask {
  // The gateway tries again and has the deadline; the package's own retries would multiply with both.
  const client = new OpenAI({
    ...models.client(config.provider),
    apiKey: 'in the gateway',
    maxRetries: 0,
    // Left out they are read from the environment, and go to any server; its log would be that of the daemon.
    ...{ organization: null, project: null, adminAPIKey: null, logLevel: 'off' },
    timeout: config.timeoutMs,
  });
  return (config.api === 'chat' ? askByChat : askByResponses)(client, config, system, tools);
}
