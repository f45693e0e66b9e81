import type { AgentConfig, AgentsConfig } from './agent-config.ts';
import { formatDuration } from './duration.ts';

/** The inverse of `normaliseAgents`. `pathFrom` gives an absolute path as it may be written in the file. */
export function writtenAgents(agents: AgentsConfig, pathFrom: (path: string) => string) {
  const { coders, planner, brief, ...rest } = agents;
  const [first] = coders;
  const single = coders.length === 1 && first !== undefined && first.name === first.agent.kind && first.weight === 1;
  return {
    ...rest,
    ...(planner === null ? {} : { planner: writtenAgent(planner, pathFrom) }),
    ...(single
      ? { coder: writtenAgent(first.agent, pathFrom) }
      : {
          ensemble: coders.map(({ name, weight, agent }) => ({ name, weight, coder: writtenAgent(agent, pathFrom) })),
        }),
    brief: { without: brief.without, lessons_every: brief.lessonsEvery, metrics: brief.metrics },
  };
}

function writtenAgent(agent: AgentConfig, pathFrom: (path: string) => string) {
  const timeout = formatDuration(agent.timeoutMs);
  switch (agent.kind) {
    case 'mutate':
      return { kind: agent.kind, edits: agent.edits, timeout };
    case 'replay':
      return { kind: agent.kind, from: pathFrom(agent.from), timeout };
    case 'openai': {
      const { timeoutMs: _timeoutMs, outputTokens, contextTokens, temperature, reasoning, ...rest } = agent;
      const tokens = { output_tokens: outputTokens, context_tokens: contextTokens };
      return { ...rest, ...tokens, ...without({ temperature, reasoning }), timeout };
    }
    default: {
      const { timeoutMs: _timeoutMs, preset, command, model, ...rest } = agent;
      return { ...rest, ...(command.length === 0 ? {} : { command }), ...without({ preset, model }), timeout };
    }
  }
}

/** The keys that say something. */
function without(keys: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== null));
}
