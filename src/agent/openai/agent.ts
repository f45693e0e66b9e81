import type { OpenaiConfig } from '../../config/index.ts';
import { ConfigurationError } from '../../errors.ts';
import type { AgentEvent } from '../event.ts';
import type { Agent, Task } from '../task.ts';
import { connect } from './connect.ts';
import { NoAnswerError } from './conversation/patiently.ts';
import { openDesk } from './desk.ts';
import { oneAnswer } from './one-answer.ts';
import { instructions, opening } from './prompt.ts';
import { PLANNER_TOOLS, TOOLS } from './tools/index.ts';
import { work } from './work.ts';

/**
 * The built-in agent: a model behind any OpenAI-compatible server that looks, edits and runs commands by tools, or (a weak one) edits by
 * one answer. A planner is given nothing to edit with. Every call goes through the gateway.
 */
export function createOpenaiAgent(config: OpenaiConfig): Agent {
  async function* propose(task: Task, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    signal.throwIfAborted();
    const { models } = task;
    if (models === null) throw new ConfigurationError('the agent openai needs a gateway to reach its model');
    const deadline = AbortSignal.any([models.deadline, AbortSignal.timeout(config.timeoutMs)]);
    const until = AbortSignal.any([signal, deadline]);
    const tools = config.format !== 'tools' ? [] : task.role === 'planner' ? PLANNER_TOOLS : TOOLS;
    const system = instructions(config.format, task.role);
    const ask = connect(config, models, { system, tools });
    try {
      const desk = openDesk(task);
      const first = await opening(config.format, desk);
      const run = { config, ask, desk, first, tools };
      yield* config.format === 'tools' ? work(run, until) : oneAnswer({ ...run, format: config.format }, until);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoAnswerError && !error.refused && !deadline.aborted) {
        models.blame(config.provider, `${config.provider} gives no answer of use: ${error.message}`);
      }
      if (deadline.aborted)
        yield { type: 'failed', kind: 'timeout', detail: `it took more than ${config.timeoutMs} ms` };
      else if (error instanceof NoAnswerError) yield { type: 'failed', kind: 'crash', detail: error.message };
      else throw error;
    }
  }
  return { kind: 'openai', propose };
}
