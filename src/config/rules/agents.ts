import { formatDuration } from '../duration.ts';
import type { KeyPath } from '../key-path.ts';
import { nameOf } from './commands.ts';
import type { Rule } from './rule.ts';

const editsAreARange: Rule = ({ agents: { coder } }, report) => {
  if (coder.kind !== 'mutate' || coder.edits.min <= coder.edits.max) return;
  report.error(
    ['agents', 'coder', 'edits', 'min'],
    `agents.coder.edits.min ${coder.edits.min} is above max ${coder.edits.max}`,
  );
};

const batchKeepsAgentsBusy: Rule = ({ agents, search: { schedule } }, report) => {
  if (agents.concurrency <= schedule.size) return;
  report.warning(
    ['agents', 'concurrency'],
    `agents.concurrency ${agents.concurrency} is above search.schedule.${schedule.mode === 'batch' ? 'size' : 'slots'} ${schedule.size}: the rest would never have work`,
  );
};

/** Timers count in 32 bits: a longer one would fire at once, which would end every job as it starts. */
const MAX_TIMER_MS = 24 * 86_400_000;

const timersHold: Rule = ({ agents, evaluator }, report) => {
  const timers: [KeyPath, number][] = [
    [['agents', 'coder', 'timeout'], agents.coder.timeoutMs],
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

export const agentRules: readonly Rule[] = [editsAreARange, batchKeepsAgentsBusy, timersHold];
