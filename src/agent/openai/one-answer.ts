import { cutMiddle } from '../brief/text.ts';
import type { AgentEvent } from '../event.ts';
import type { Entry } from './conversation/entry.ts';
import { patiently } from './conversation/patiently.ts';
import { applyAnswer, type INSTRUCTIONS } from './format/answer.ts';
import { ToolError } from './tools/index.ts';
import type { Run } from './work.ts';

/** Times that a model is told what is wrong with its answer. */
const CORRECTIONS = 2;
const MESSAGE_CHARACTERS = 100_000;

/** One answer with a diff or whole files, of a planner with the plan; an answer that cannot be applied is sent back with the reason. */
export async function* oneAnswer(
  { ask, desk, first, format }: Run & { readonly format: keyof typeof INSTRUCTIONS },
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const entries: Entry[] = [{ kind: 'user', text: first }];
  for (let made = 0; ; made += 1) {
    const { turn, native } = await patiently(() => ask(entries, signal), signal);
    entries.push({ kind: 'turn', turn, native });
    yield { type: 'message', text: cutMiddle(turn.text, MESSAGE_CHARACTERS) };
    if (turn.refusal !== null) {
      yield { type: 'failed', kind: 'refused', detail: turn.refusal };
      return;
    }
    if (desk.task.role === 'planner') {
      yield { type: 'finished', title: titleOf(turn.text), summary: turn.text };
      return;
    }
    try {
      // What is left of a file or a diff would be taken for the whole.
      if (turn.cut) throw new ToolError('it was cut off, because an answer may have no more tokens');
      for (const path of await applyAnswer(format, turn.text, desk)) {
        yield { type: 'edit', path, description: format };
      }
      yield { type: 'finished', title: titleOf(turn.text), summary: '' };
      return;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (made === CORRECTIONS) {
        yield { type: 'failed', kind: 'nothing', detail: `no answer could be applied: ${error.message}` };
        return;
      }
      entries.push({
        kind: 'user',
        text: `That cannot be applied: ${error.message}. Answer again, in the form asked for.`,
      });
    }
  }
}

function titleOf(answer: string): string {
  const line = answer.split('\n').find((each) => each.trim() !== '' && !/^[`~#-]/.test(each.trim()));
  return line?.trim() ?? 'openai: an answer without a word';
}
