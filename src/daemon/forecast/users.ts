import type { AcpConfig, AgentConfig, Campaign, CommandConfig } from '../../config/index.ts';
import { lessonWriter } from '../lessons/index.ts';

/** The protocols in which models are asked. */
export type WireName = 'responses' | 'chat' | 'messages' | 'gemini' | 'embeddings';

/** Somebody in a campaign who asks a model, and how. */
export interface ModelUser {
  readonly role: 'planner' | 'coder' | 'lessons' | 'embedding';
  /** Of coders; the role of others. */
  readonly name: string;
  readonly provider: string;
  /** Null: the agent takes what it likes. */
  readonly model: string | null;
  /** Null: nobody knows what it will speak. */
  readonly wire: WireName | null;
  /** Which share of the jobs is its own, in (0, 1]. */
  readonly share: number;
  readonly agent: AgentConfig | null;
}

const PRESET_WIRES: Readonly<Record<NonNullable<CommandConfig['preset'] | AcpConfig['preset']>, WireName>> = {
  codex: 'responses',
  claude: 'messages',
  opencode: 'chat',
  kilo: 'chat',
  gemini: 'gemini',
  aider: 'chat',
};

/** Everybody who asks a model in this campaign. A command without a preset asks whom it likes, past the gateway. Pure. */
export function modelUsers({ agents, search }: Campaign): ModelUser[] {
  const total = agents.coders.reduce((sum, { weight }) => sum + weight, 0);
  const coders = agents.coders.flatMap(({ name, weight, agent }) => userOf('coder', name, agent, weight / total));
  const planner = agents.planner === null ? [] : userOf('planner', 'planner', agents.planner, 1);
  const writer = agents.brief.lessonsEvery === 0 ? null : lessonWriter({ agents });
  const lessons = writer === null ? [] : userOf('lessons', 'lessons', writer, 1 / agents.brief.lessonsEvery);
  const { provider } = search.descriptor;
  const embedding: ModelUser[] =
    provider.kind === 'local'
      ? []
      : [
          {
            ...{ role: 'embedding', name: 'embedding', provider: 'embedding', wire: 'embeddings', share: 1 },
            model: provider.model,
            agent: null,
          },
        ];
  return [...planner, ...coders, ...lessons, ...embedding];
}

function userOf(role: ModelUser['role'], name: string, agent: AgentConfig, share: number): ModelUser[] {
  const common = { role, name, share, agent };
  if (agent.kind === 'openai') {
    return [{ ...common, provider: agent.provider, model: agent.model, wire: agent.api }];
  }
  if (agent.kind !== 'command' && agent.kind !== 'acp') return [];
  if (agent.preset === null) return [];
  return [{ ...common, provider: agent.provider, model: agent.model, wire: PRESET_WIRES[agent.preset] }];
}
