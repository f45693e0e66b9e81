/**
 * How known agents are told of a model server, whatever way they are called. The base URL is that of `modelUrl`, in which the
 * forwarder puts the address.
 */

/** A key has to be there, and is in the gateway. */
export const NO_KEY = 'in-the-gateway';

/** An entry of Codex's `model_providers`, which goes by the name `CODEX_SERVER`. The gateway tries again, so that Codex does not. */
export function codexServer(modelUrl: string): Readonly<Record<string, string | number | boolean>> {
  return {
    ...{ name: CODEX_SERVER, base_url: modelUrl, env_key: CODEX_KEY, wire_api: 'responses' },
    ...{ request_max_retries: 0, stream_max_retries: 0, supports_websockets: false },
  };
}

export const CODEX_SERVER = 'clade';
const CODEX_KEY = 'CLADE_MODEL_KEY';
export const CODEX_ENVIRONMENT = { [CODEX_KEY]: NO_KEY };

export function geminiServer(modelUrl: string): Record<string, string> {
  return { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: NO_KEY };
}

/**
 * The environment of OpenCode, or of one made of it, whose variables begin with `prefix`. The project's own configuration is the
 * candidate's, and not obeyed. `more` is added to the configuration.
 */
export function openCodeServer(
  prefix: string,
  model: string | null,
  modelUrl: string,
  more: object = {},
): Record<string, string> {
  const name = model ?? 'default';
  const server = {
    npm: '@ai-sdk/openai-compatible',
    name: 'clade',
    options: { baseURL: modelUrl, apiKey: NO_KEY },
    models: { [name]: { name } },
  };
  const config = { provider: { clade: server }, share: 'disabled', autoupdate: false, ...more };
  return { [`${prefix}_CONFIG_CONTENT`]: JSON.stringify(config), [`${prefix}_DISABLE_PROJECT_CONFIG`]: '1' };
}

/** What OpenCode calls that model. */
export const openCodeModel = (model: string | null): string => `clade/${model ?? 'default'}`;
