/** What the model asks for: `input` is undefined when what it wrote is no JSON. */
export interface ToolAsk {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** As it was written. */
  readonly raw: string;
}

/** One answer of the model. */
export interface Turn {
  readonly text: string;
  readonly asks: readonly ToolAsk[];
  /** Why the model will not do it; null when it does. */
  readonly refusal: string | null;
  /** Whether it ends where the most tokens of an answer were used up. */
  readonly cut: boolean;
}

/** A part of a conversation, in the words of no server. */
export type Entry =
  | { readonly kind: 'user'; readonly text: string }
  /** `native` is the turn as the server gave it, for servers that want it back whole. */
  | { readonly kind: 'turn'; readonly turn: Turn; readonly native: readonly unknown[] }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

/** One way of asking: the entries so far to the next turn. */
export type Ask = (
  entries: readonly Entry[],
  signal: AbortSignal,
) => Promise<{ readonly turn: Turn; readonly native: readonly unknown[] }>;

/** The input of a call as JSON, however broken it is written. */
export function askOf(id: string, name: string, raw: string): ToolAsk {
  try {
    return { id, name, raw, input: JSON.parse(raw === '' ? '{}' : raw) };
  } catch {
    // The model is told, and may write it again.
    return { id, name, raw, input: undefined };
  }
}

export const FILTERED = 'a content filter of the server held the answer back';

/** Whether an answer has more characters than any answer of so many tokens; such a server would go on for ever. */
export function isEndless(characters: number, outputTokens: number): boolean {
  return characters > Math.max(LEAST_CHARACTERS, outputTokens * CHARACTERS_PER_TOKEN);
}
const LEAST_CHARACTERS = 2 ** 20;
/** The longest tokens that are at all usual: runs of blanks. */
const CHARACTERS_PER_TOKEN = 32;
