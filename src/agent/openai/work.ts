import type { OpenaiConfig } from '../../config/index.ts';
import { cutMiddle } from '../brief/text.ts';
import type { AgentEvent } from '../event.ts';
import { compact } from './conversation/compact.ts';
import type { Ask, Entry, ToolAsk } from './conversation/entry.ts';
import { patiently } from './conversation/patiently.ts';
import type { Desk } from './desk.ts';
import { type Tool, ToolError, type ToolResult } from './tools/index.ts';

/** What a run of the built-in agent works with. */
export interface Run {
  readonly config: OpenaiConfig;
  readonly ask: Ask;
  readonly desk: Desk;
  /** What the model is told first. */
  readonly first: string;
  readonly tools: readonly Tool[];
}

/** Answers in a row that neither call a tool nor say anything of use, before the model is given up. */
const MAX_IDLE = 3;
const RESULT_CHARACTERS = 30_000;
const CUT = 'Your answer was cut off: it may have no more tokens. Say less, and call a tool.';
const NUDGE = 'Nobody reads this. Go on by calling a tool, or call finish when the change is complete.';

/** Turn by turn: the model asks for tools and is given their results, until it finishes or a limit is reached. */
export async function* work({ config, ask, desk, first, tools }: Run, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  const plans = desk.task.role === 'planner';
  const entries: Entry[] = [{ kind: 'user', text: first }];
  let idle = 0;
  for (let made = 0; made < config.turns; made += 1) {
    const room = config.contextTokens - config.outputTokens;
    const { turn, native } = await patiently(() => ask(compact(entries, room), signal), signal);
    entries.push({ kind: 'turn', turn, native });
    if (turn.text !== '') yield { type: 'message', text: cutMiddle(turn.text, RESULT_CHARACTERS) };
    if (turn.refusal !== null) {
      yield { type: 'failed', kind: 'refused', detail: turn.refusal };
      return;
    }
    if (plans && turn.asks.length === 0 && turn.text.trim() !== '') {
      yield { type: 'finished', title: turn.text.split('\n', 1)[0] ?? '', summary: turn.text };
      return;
    }
    idle = turn.asks.length === 0 ? idle + 1 : 0;
    if (idle === MAX_IDLE) {
      yield last(plans, `${MAX_IDLE} answers in a row called no tool`, turn.text);
      return;
    }
    if (turn.asks.length === 0) entries.push({ kind: 'user', text: turn.cut ? CUT : NUDGE });
    let done: ToolResult['finished'];
    for (const asked of turn.asks) {
      const { text, edited = [], finished } = await useTool(asked, { desk, tools }, signal);
      done ??= finished;
      yield { type: 'message', text: `${asked.name} ${asked.raw.slice(0, 500)}\n${text.slice(0, 2_000)}` };
      for (const path of edited) yield { type: 'edit', path, description: asked.name };
      entries.push({ kind: 'result', id: asked.id, text: cutMiddle(text, RESULT_CHARACTERS) });
    }
    if (done !== undefined) {
      yield { type: 'finished', ...done };
      return;
    }
  }
  yield last(plans, `${config.turns} turns were used`, '');
}

/** It did not say that it is done; what a coder left in the worktree is judged all the same, a planner left nothing. */
function last(plans: boolean, why: string, text: string): AgentEvent {
  const doubt = { kind: 'nothing', detail: why } as const;
  if (plans) return { type: 'failed', ...doubt };
  return { type: 'finished', title: text.split('\n', 1)[0] || `openai: ${why}`, summary: why, doubt };
}

async function useTool(
  { name, input, raw }: ToolAsk,
  { desk, tools }: Pick<Run, 'desk' | 'tools'>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined)
    return { text: `there is no tool ${name}; there are ${tools.map((each) => each.name).join(', ')}` };
  if (input === undefined) return { text: `the arguments of ${name} are not JSON: ${raw.slice(0, 200)}` };
  try {
    return await tool.run(input, desk, signal);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { text: `error: ${error.message}` };
  }
}
