import type { ToolUpdate } from './update.ts';

/** More at a time are not told apart: an agent that never ends its calls is not to fill our memory. */
const MAX_OPEN = 1_000;
const TITLE_CHARACTERS = 2_000;
const MAX_PATHS = 1_000;

/** What is known of one call of a tool of the agent. */
export interface ToolCall {
  readonly title: string;
  /** Of the protocol's kinds, or another word. */
  readonly kind: string;
  readonly status: string;
  /** The files that it is about, as the agent names them. */
  readonly paths: readonly string[];
}

/** The calls that are not over, pieced together from their updates. */
export interface Tools {
  /** What is known after this update; a call that is over is forgotten. */
  read(update: ToolUpdate): ToolCall;
  /** The same, without keeping anything. */
  seen(update: ToolUpdate): ToolCall;
}

export function createTools(): Tools {
  const open = new Map<string, ToolCall>();

  const seen = (update: ToolUpdate): ToolCall => {
    const before = open.get(update.toolCallId);
    const paths = new Set([...(before?.paths ?? []), ...pathsOf(update)]);
    return {
      title: (update.title ?? before?.title ?? '').slice(0, TITLE_CHARACTERS),
      kind: update.kind ?? before?.kind ?? 'other',
      status: update.status ?? before?.status ?? 'pending',
      paths: [...paths].slice(0, MAX_PATHS),
    };
  };

  return {
    seen,
    read(update) {
      const call = seen(update);
      if (isOver(call)) open.delete(update.toolCallId);
      else if (open.size < MAX_OPEN || open.has(update.toolCallId)) open.set(update.toolCallId, call);
      return call;
    },
  };
}

export function isOver({ status }: ToolCall): boolean {
  return status === 'completed' || status === 'failed';
}

/** Of its locations, and of the differences that it shows. */
function pathsOf({ locations, content }: ToolUpdate): string[] {
  const shown = (content ?? []).flatMap(({ type, path }) => (type === 'diff' && path !== undefined ? [path] : []));
  return [...(locations ?? []).map(({ path }) => path), ...shown];
}
