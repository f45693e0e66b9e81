import type { z } from 'zod';
import type { AgentEvent } from '../../event.ts';

const DESCRIPTION_CHARACTERS = 2_000;

/** A reader of one JSON value a line; what does not have the form of `schema` says nothing. */
export function jsonLines<Schema extends z.ZodType>(
  schema: Schema,
  events: (value: z.output<Schema>) => readonly AgentEvent[],
): (line: string) => readonly AgentEvent[] {
  return (line) => {
    if (!line.startsWith('{')) return [];
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // Cut by a kill or by somebody else's output.
      return [];
    }
    const parsed = schema.safeParse(value);
    return parsed.success ? events(parsed.data) : [];
  };
}

export function message(text: string | null | undefined): AgentEvent[] {
  return text == null || text.trim() === ''
    ? []
    : [{ type: 'message', text: text.slice(0, DESCRIPTION_CHARACTERS * 4) }];
}

/** A tool that the agent used. */
export function used(tool: string, input: unknown): AgentEvent[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? null);
  return [{ type: 'message', text: `${tool}: ${text.slice(0, DESCRIPTION_CHARACTERS)}` }];
}

export function failed(detail: string): AgentEvent[] {
  return [{ type: 'failed', kind: 'crash', detail: detail.slice(0, DESCRIPTION_CHARACTERS) }];
}
