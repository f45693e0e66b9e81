import type { AgentConfig } from '../../config/index.ts';
import type { Agent } from '../task.ts';

export function createCommandAgent(
  _config: Extract<AgentConfig, { kind: 'command' }>,
  _environment: Readonly<Record<string, string | undefined>>,
): Agent {
  return { kind: 'command', propose: async function* () {} };
}
