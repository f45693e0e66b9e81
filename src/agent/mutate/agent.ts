import { setImmediate } from 'node:timers/promises';
import type { AgentConfig } from '../../config/index.ts';
import type { AgentEvent } from '../event.ts';
import type { Agent, Task } from '../task.ts';
import { SourceCache } from './cache.ts';
import { listEditable, readText, writeText } from './files.ts';
import { type Plan, Planner } from './plan.ts';

/** Plans made for one proposal: most that are given up break the syntax or change nothing, the others were seen. */
const MAX_PLANS = 100;
/** Text of the parsed files that are kept between proposals. */
const CACHED_CHARACTERS = 2 * 2 ** 20;

/**
 * Genetic improvement without a model: a few seeded edits of syntax trees, in the manner of GenProg (Le Goues 2012: delete,
 * copy, swap, replace statements) with the operator and constant changes of mutation testing, and hunks of the inspirations
 * in the place of a crossover. Runs in this process, starts no child and needs no network.
 */
export function createMutateAgent(config: Extract<AgentConfig, { kind: 'mutate' }>): Agent {
  const cache = new SourceCache(CACHED_CHARACTERS);

  async function* propose(task: Task, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const deadline = AbortSignal.timeout(config.timeoutMs);
    using sources = cache.lease();
    const [paths, inspirations] = await Promise.all([task.files(), task.inspirations()]);
    const files = listEditable(task.worktree, paths.filter(task.editable));
    const planner = new Planner(files, { inspirations }, async (path) => {
      const text = await readText(task.worktree, path);
      return text === null ? null : sources.get(path, text);
    });
    const { min, max } = config.edits;

    let seen = 0;
    for (let attempt = 0; attempt < MAX_PLANS; attempt += 1) {
      // Planning on cached files never leaves this turn of the event loop, and no timer would fire.
      await setImmediate();
      signal.throwIfAborted();
      if (deadline.aborted) {
        yield { type: 'failed', kind: 'timeout', detail: `no new proposal within ${config.timeoutMs} ms` };
        return;
      }
      const plan = await planner.plan(min + task.rng.below(max - min + 1), task.rng);
      if (plan === null) continue;
      if (await task.seen?.(plan.texts)) {
        seen += 1;
        continue;
      }
      signal.throwIfAborted();
      for (const [path, text] of plan.texts) await writeText(task.worktree, path, text);
      yield* report(plan);
      return;
    }
    const detail = `${MAX_PLANS} plans on ${files.length} editable files: ${seen} were seen before, the others changed nothing or broke the syntax`;
    yield { type: 'failed', kind: 'nothing', detail };
  }

  return { kind: 'mutate', propose };
}

function* report(plan: Plan): Generator<AgentEvent> {
  for (const { path, line, description } of plan.edits) {
    yield { type: 'edit', path, description: `${description} in line ${line}` };
  }
  const lines = plan.edits.map(({ path, line, description }) => `${description} in ${path}:${line}`);
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : '';
  yield { type: 'finished', title: `mutate: ${lines[0]}${more}`, summary: lines.join('\n') };
}
