import type { Entry } from './entry.ts';

/** Code and English have 3 to 4 characters a token. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Entries at the end that are always kept whole: what the model is working on. */
const KEPT = 6;
const LEFT_OUT = '[left out to save room; ask again if you need it]';
const SHORT = 200;

/**
 * The entries cut to about `tokens`: results of tools first, the oldest before the others, then whole turns with what belongs to them.
 * The first entry, the task, always stays. Pure.
 */
export function compact(entries: readonly Entry[], tokens: number): Entry[] {
  const limit = tokens * CHARACTERS_PER_TOKEN;
  const kept = [...entries];
  for (let index = 1; index < kept.length - KEPT && size(kept) > limit; index += 1) {
    const entry = kept[index];
    if (entry?.kind === 'result' && entry.text.length > SHORT) kept[index] = { ...entry, text: LEFT_OUT };
  }
  // A result must follow the turn that asked for it, so what goes is a turn with all its results.
  while (size(kept) > limit) {
    const next = kept.findIndex((entry, index) => index > 1 && entry.kind !== 'result');
    if (next === -1 || next >= kept.length - 1) break;
    kept.splice(1, next - 1);
  }
  return kept;
}

function size(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + lengthOf(entry), 0);
}

function lengthOf(entry: Entry): number {
  if (entry.kind !== 'turn') return entry.text.length;
  const { text, asks } = entry.turn;
  return asks.reduce((sum, { raw, name }) => sum + raw.length + name.length, text.length);
}
