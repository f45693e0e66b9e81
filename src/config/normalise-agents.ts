import { resolve } from 'node:path';
import type { AgentConfig, AgentsConfig, PlannerConfig } from './agent-config.ts';
import { parseDuration } from './duration.ts';
import type { WrittenCampaign } from './schema/campaign.ts';

type WrittenAgents = WrittenCampaign['agents'];
type WrittenAgent = WrittenAgents['coder'];

/** Written → resolved. `directory` is the campaign's, absolute. */
export function normaliseAgents(written: WrittenAgents, directory: string): AgentsConfig {
  const { concurrency, planner, choose, rework, novelty, brief } = written;
  const members = written.ensemble ?? [{ name: written.coder.kind, weight: 1, coder: written.coder }];
  return {
    concurrency,
    planner: planner === undefined ? null : plannerOf(planner),
    coders: members.map(({ name, weight, coder }) => ({ name, weight, agent: agentOf(coder, directory) })),
    choose,
    rework,
    novelty,
    brief: { without: brief.without, lessonsEvery: brief.lessons_every, metrics: brief.metrics },
  };
}

function agentOf(written: WrittenAgent, directory: string): AgentConfig {
  switch (written.kind) {
    case 'mutate': {
      const { timeout, ...rest } = written;
      return { ...rest, timeoutMs: parseDuration(timeout) };
    }
    case 'replay':
      return { kind: 'replay', from: resolve(directory, written.from), timeoutMs: parseDuration(written.timeout) };
    default:
      return plannerOf(written);
  }
}

function plannerOf(written: Exclude<WrittenAgent, { kind: 'mutate' | 'replay' }>): PlannerConfig {
  const timeoutMs = parseDuration(written.timeout);
  switch (written.kind) {
    case 'command': {
      const { timeout: _timeout, preset = null, command = [], model = null, ...rest } = written;
      return { ...rest, preset, command, model, timeoutMs };
    }
    case 'acp': {
      const { timeout: _timeout, preset = null, command = [], model = null, ...rest } = written;
      return { ...rest, preset, command, model, timeoutMs };
    }
    case 'openai': {
      const { kind, provider, model, api, format, turns, temperature = null, reasoning = null } = written;
      const { output_tokens: outputTokens, context_tokens: contextTokens } = written;
      return {
        kind,
        provider,
        model,
        api,
        format,
        turns,
        outputTokens,
        contextTokens,
        temperature,
        reasoning,
        timeoutMs,
      };
    }
  }
}
