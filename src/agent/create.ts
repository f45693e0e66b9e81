import type { AgentConfig } from '../config/index.ts';
import { createAcpAgent } from './acp/agent.ts';
import { createCommandAgent } from './command/agent.ts';
import { createPresetAgent } from './command/preset-agent.ts';
import { createMutateAgent } from './mutate/agent.ts';
import { createOpenaiAgent } from './openai/agent.ts';
import { createReplayAgent } from './replay/agent.ts';
import type { Agent } from './task.ts';

export interface AgentDependencies {
  /** The campaign's folder, absolute: where a command's `./x` is looked up. */
  readonly directory: string;
  /** The tree of the campaign's root, which a recording must begin at; null or absent: not known. */
  readonly rootTree?: string | null;
}

/**
 * Builds the agent that a campaign names. An agent may be used for many tasks, also at the same time.
 * @throws ConfigurationError when what it needs is not there.
 */
export function createAgent(config: AgentConfig, { directory, rootTree = null }: AgentDependencies): Agent {
  switch (config.kind) {
    case 'mutate':
      return createMutateAgent(config);
    case 'command':
      return config.preset === null
        ? createCommandAgent(config, directory)
        : createPresetAgent({ ...config, preset: config.preset }, directory);
    case 'openai':
      return createOpenaiAgent(config);
    case 'replay':
      return createReplayAgent(config, rootTree);
    case 'acp':
      return createAcpAgent(config, directory);
  }
}
