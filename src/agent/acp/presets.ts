import type { AcpConfig } from '../../config/index.ts';
import type { Call } from '../process/prepare.ts';
import {
  CODEX_ENVIRONMENT,
  CODEX_SERVER,
  codexServer,
  geminiServer,
  openCodeModel,
  openCodeServer,
} from '../process/servers.ts';

/** A known agent that speaks the protocol. */
export interface AcpPreset {
  readonly executable: string;
  readonly call: (model: string | null, modelUrl: string) => Call;
  /** What the agent calls a model, where its session offers a choice. */
  readonly modelId: (model: string | null) => string | null;
  /** The way of authentication to take where it is offered; null: none. */
  readonly authMethod: string | null;
}

/** Edits are asked for, so that the edit scope answers, and a refused one does not end the turn. */
const ASKING = { permission: { edit: 'ask' }, experimental: { continue_loop_on_deny: true } };

/** OpenCode (tried with 1.18), and Kilo, which is made of it. The model server is configured as for `command`. */
function openCodeLike(executable: string, prefix: string): AcpPreset {
  return {
    executable,
    call: (model, modelUrl) => ({
      argv: ['acp'],
      env: openCodeServer(prefix, model, modelUrl, { model: openCodeModel(model), ...ASKING }),
    }),
    modelId: openCodeModel,
    authMethod: null,
  };
}

export const ACP_PRESETS: Readonly<Record<NonNullable<AcpConfig['preset']>, AcpPreset>> = {
  /** The adapter of Codex (tried with 2.6), a package of its own. Codex's own sandbox is off: nested ones fail silently, and ours is around it. */
  codex: {
    executable: 'codex-acp',
    call: (model, modelUrl) => {
      const config = {
        ...{ model_provider: CODEX_SERVER, model_providers: { [CODEX_SERVER]: codexServer(modelUrl) } },
        ...(model === null ? {} : { model }),
      };
      const mode = { MODEL_PROVIDER: CODEX_SERVER, INITIAL_AGENT_MODE: 'agent-full-access', NO_BROWSER: '1' };
      return { argv: [], env: { ...CODEX_ENVIRONMENT, ...mode, CODEX_CONFIG: JSON.stringify(config) } };
    },
    modelId: (model) => model,
    authMethod: null,
  },
  gemini: {
    executable: 'gemini',
    call: (model, modelUrl) => ({
      argv: ['--acp', '--skip-trust', ...(model === null ? [] : ['-m', model])],
      env: geminiServer(modelUrl),
    }),
    modelId: (model) => model,
    authMethod: 'gemini-api-key',
  },
  opencode: openCodeLike('opencode', 'OPENCODE'),
  kilo: openCodeLike('kilo', 'KILO'),
};
