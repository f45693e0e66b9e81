import { askOf, type ToolAsk } from './entry.ts';

/** The calls of a streamed answer, put together from their parts as loosely as servers number them. */
export interface Calls {
  take(part: unknown): void;
  /** Each with an id of its own. */
  asks(): ToolAsk[];
  readonly characters: number;
}

interface Call {
  readonly index: unknown;
  id: string;
  name: string;
  raw: string;
}

export function createCalls(): Calls {
  const calls: Call[] = [];
  return {
    take(part) {
      const { index, id, function: said } = recordOf(part);
      const { name, arguments: input } = recordOf(said);
      const known = calls.findLast((call) => call.index === index);
      // Some servers give every call the same number, or none: then another id begins another call.
      const another = known === undefined || (textOf(id) !== '' && known.id !== '' && known.id !== id);
      const call = another ? { index, id: '', name: '', raw: '' } : known;
      if (another) calls.push(call);
      call.id ||= textOf(id);
      if (call.name !== name) call.name += textOf(name);
      call.raw += typeof input === 'object' && input !== null ? JSON.stringify(input) : textOf(input);
    },
    asks() {
      const ids = uniqueIds(calls.map(({ id }) => id));
      return calls.map(({ name, raw }, at) => askOf(ids[at] ?? '', name, raw));
    },
    get characters() {
      return calls.reduce((sum, { raw, name }) => sum + raw.length + name.length, 0);
    },
  };
}

/** Ids by which results can be told apart: what is missing or said before is replaced. */
export function uniqueIds(ids: readonly string[]): string[] {
  const taken = new Set<string>();
  return ids.map((id, at) => {
    const own = id !== '' && !taken.has(id) ? id : `call_${at}_of_${ids.length}`;
    taken.add(own);
    return own;
  });
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A text, or the texts of a list of parts; nothing else is text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((part) => textOf(recordOf(part).text)).join('') : '';
}
