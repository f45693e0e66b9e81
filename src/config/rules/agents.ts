import type { AgentConfig, AgentsConfig } from '../agent-config.ts';
import { formatDuration } from '../duration.ts';
import type { KeyPath } from '../key-path.ts';
import { nameOf } from './commands.ts';
import type { Rule } from './rule.ts';

/** Every coder, and the planner, with its place in the file. */
export function agentsOf({ coders, planner }: AgentsConfig): { at: KeyPath; agent: AgentConfig }[] {
  const [only] = coders;
  const single = coders.length === 1 && only?.name === only?.agent.kind;
  const members = coders.map(({ agent }, index) => ({
    at: single ? ['agents', 'coder'] : ['agents', 'ensemble', index, 'coder'],
    agent,
  }));
  return planner === null ? members : [...members, { at: ['agents', 'planner'], agent: planner }];
}

const editsAreARange: Rule = ({ agents }, report) => {
  for (const { at, agent } of agentsOf(agents)) {
    if (agent.kind !== 'mutate' || agent.edits.min <= agent.edits.max) continue;
    const place = [...at, 'edits', 'min'];
    report.error(place, `${nameOf(place)} ${agent.edits.min} is above max ${agent.edits.max}`);
  }
};

const processesAreNamed: Rule = ({ agents }, report) => {
  for (const { at, agent } of agentsOf(agents)) {
    if (agent.kind !== 'command' && agent.kind !== 'acp') continue;
    if (agent.preset === null && agent.command.length === 0) {
      report.error(at, `${nameOf(at)} needs a preset or a command`);
    }
    if (agent.preset !== null && agent.preset !== 'aider' && agent.model === null) {
      report.warning(
        at,
        `${nameOf(at)}.model is not set: ${agent.preset} takes what it likes, at a price nobody knows`,
      );
    }
  }
};

const providersAreKnown: Rule = ({ agents, providers }, report) => {
  for (const { name, baseUrl } of providers) {
    if (baseUrl !== '') continue;
    report.error(['providers', name], `providers.${name}.base_url is missing: ${name} is not a known server`);
  }
  const names = providers.map(({ name }) => name);
  for (const { at, agent } of agentsOf(agents)) {
    if (!('provider' in agent) || names.includes(agent.provider)) continue;
    const place = [...at, 'provider'];
    report.error(place, `${nameOf(place)}: no provider is called ${agent.provider}; known are ${names.join(', ')}`);
  }
};

const membersHaveDifferentNames: Rule = ({ agents: { coders } }, report) => {
  for (const [index, { name }] of coders.entries()) {
    if (coders.findIndex((member) => member.name === name) === index) continue;
    report.error(['agents', 'ensemble', index, 'name'], `agents.ensemble[${index}].name repeats "${name}"`);
  }
};

const batchKeepsAgentsBusy: Rule = ({ agents, search: { schedule } }, report) => {
  if (agents.concurrency <= schedule.size) return;
  report.warning(
    ['agents', 'concurrency'],
    `agents.concurrency ${agents.concurrency} is above search.schedule.${schedule.mode === 'batch' ? 'size' : 'slots'} ${schedule.size}: the rest would never have work`,
  );
};

const noveltyIsKnownBefore: Rule = ({ agents: { novelty }, search: { descriptor } }, report) => {
  if (novelty === 0 || descriptor.kind !== 'features') return;
  report.error(
    ['agents', 'novelty'],
    'agents.novelty compares proposals before they are evaluated, and search.descriptor.kind features is known only after that',
  );
};

const lessonsHaveAWriter: Rule = ({ agents }, report) => {
  if (agents.brief.lessonsEvery === 0 || agentsOf(agents).some(({ agent }) => agent.kind === 'openai')) return;
  report.error(
    ['agents', 'brief', 'lessons_every'],
    'agents.brief.lessons_every needs a model that writes them: a planner or a coder of kind openai',
  );
};

/** Timers count in 32 bits: a longer one would fire at once, which would end every job as it starts. */
const MAX_TIMER_MS = 24 * 86_400_000;

const timersHold: Rule = ({ agents, evaluator }, report) => {
  const timers: [KeyPath, number][] = [
    ...agentsOf(agents).map(({ at, agent }): [KeyPath, number] => [[...at, 'timeout'], agent.timeoutMs]),
    [['evaluator', 'timeout'], evaluator.timeoutMs],
    [['evaluator', 'grace'], evaluator.graceMs],
    ...evaluator.steps
      .filter(({ kind }) => kind !== null)
      .map(({ timeoutMs }, index): [KeyPath, number] => [['evaluator', 'steps', index, 'timeout'], timeoutMs]),
  ];
  for (const [at, milliseconds] of timers) {
    if (milliseconds <= MAX_TIMER_MS) continue;
    report.error(at, `${nameOf(at)} must be at most ${formatDuration(MAX_TIMER_MS)}`);
  }
};

export const agentRules: readonly Rule[] = [
  editsAreARange,
  processesAreNamed,
  providersAreKnown,
  membersHaveDifferentNames,
  batchKeepsAgentsBusy,
  noveltyIsKnownBefore,
  lessonsHaveAWriter,
  timersHold,
];
