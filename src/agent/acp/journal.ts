import { isAbsolute, relative, resolve, sep } from 'node:path';
import { cutMiddle } from '../brief/text.ts';
import type { AgentEvent } from '../event.ts';
import { isOver, type ToolCall, type Tools } from './tools.ts';
import { readUpdate, type Update } from './update.ts';

/** Of one message; a longer one loses its middle. */
const MESSAGE_CHARACTERS = 64_000;
/** Of all events of a run; later ones are counted. */
const TOTAL_CHARACTERS = 2_000_000;
const MAX_EVENTS = 10_000;

/** What a session says, as events. */
export interface Journal {
  /** The params of a `session/update`. */
  read(params: unknown): void;
  /** Words of ours between them. */
  note(text: string): void;
  /** What came of it; `last` is the agent's last message, which counts as its answer. */
  close(): { readonly events: readonly AgentEvent[]; readonly last: string };
}

export function createJournal(worktree: string, tools: Tools, redact: (text: string) => string): Journal {
  const events: AgentEvent[] = [];
  let [characters, leftOut] = [0, 0];
  let last = '';
  /** The message or thought that is coming in. */
  let current: { readonly kind: 'message' | 'thought'; readonly id: string | null; text: string } | null = null;

  const add = (event: AgentEvent & { type: 'message' | 'edit' }): void => {
    characters += event.type === 'message' ? event.text.length : event.path.length + event.description.length;
    if (characters > TOTAL_CHARACTERS || events.length >= MAX_EVENTS) leftOut += 1;
    else events.push(event);
  };
  const say = (text: string): void => {
    if (text.trim() !== '') add({ type: 'message', text: cutMiddle(redact(text), MESSAGE_CHARACTERS).toWellFormed() });
  };
  const flush = (): void => {
    if (current === null) return;
    const { kind, text } = current;
    current = null;
    if (kind === 'message' && text.trim() !== '') last = cutMiddle(redact(text), MESSAGE_CHARACTERS).toWellFormed();
    say(kind === 'message' ? text : `thought: ${text}`);
  };
  const append = (kind: 'message' | 'thought', text: string, messageId: string | null): void => {
    if (current !== null && (current.kind !== kind || current.id !== messageId)) flush();
    current ??= { kind, id: messageId, text: '' };
    current.text += text;
    // Not at each piece, or a long message would be copied for every word of it.
    if (current.text.length > 2 * MESSAGE_CHARACTERS) current.text = cutMiddle(current.text, MESSAGE_CHARACTERS);
  };

  const tell = (update: Update): void => {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        append('message', textOf(update.content), update.messageId ?? null);
        break;
      case 'agent_thought_chunk':
        append('thought', textOf(update.content), update.messageId ?? null);
        break;
      case 'plan':
        flush();
        say(update.entries.map(({ content, status }) => `plan: ${content} (${status ?? 'pending'})`).join('\n'));
        break;
      default: {
        flush();
        const call = tools.read(update);
        if (isOver(call)) for (const event of eventsOf(call, worktree, redact)) add(event);
      }
    }
  };

  return {
    read(params) {
      const update = readUpdate(params);
      if (update !== null) tell(update);
    },
    note(text) {
      flush();
      say(text);
    },
    close() {
      flush();
      const note: AgentEvent[] = leftOut === 0 ? [] : [{ type: 'message', text: `… ${leftOut} more were left out` }];
      return { events: [...events, ...note], last };
    },
  };
}

function textOf({ type, text }: { readonly type: string; readonly text?: string | undefined }): string {
  return type === 'text' ? (text ?? '') : `[${type}]`;
}

function* eventsOf(
  call: ToolCall,
  worktree: string,
  redact: (text: string) => string,
): Generator<AgentEvent & { type: 'message' | 'edit' }> {
  const { title, kind, status } = call;
  const description = redact(`${kind}: ${title}`).toWellFormed();
  const paths = status === 'completed' && changes(kind) ? insideOf(worktree, call.paths) : [];
  for (const path of paths) yield { type: 'edit', path: redact(path).toWellFormed(), description };
  if (paths.length === 0)
    yield { type: 'message', text: status === 'failed' ? `${description} (failed)` : description };
}

/** Whether a call of this kind changes files that it names. */
export function changes(kind: string): boolean {
  return kind === 'edit' || kind === 'delete' || kind === 'move';
}

/** Those of the paths that lie in the worktree, relative to it. */
export function insideOf(worktree: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const way = relative(worktree, resolve(worktree, path));
    return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? [] : [way];
  });
}
