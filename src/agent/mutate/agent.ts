import type { AgentConfig } from '../../config/index.ts';
import type { Agent } from '../task.ts';

export function createMutateAgent(_config: Extract<AgentConfig, { kind: 'mutate' }>): Agent {
  return { kind: 'mutate', propose: async function* () {} };
}
