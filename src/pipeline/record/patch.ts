import { applyPatch, formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';

/** Above so many changed lines a diff takes long, and says little that the whole text does not. */
const MOST_EDITS = 5_000;

/**
 * The unified diff, without names of files, between two texts. Null where there is none that is proved: it is applied before it
 * is given, since ends of lines and a last line without one have more forms than a diff has words for.
 */
export function patchBetween(before: string | null, after: string): string | null {
  if (before === null) return null;
  const made = structuredPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: MOST_EDITS });
  if (made === undefined) return null;
  const patch = formatPatch(made, OMIT_HEADERS);
  return applyPatch(before, patch, { fuzzFactor: 0, autoConvertLineEndings: false }) === after ? patch : null;
}
