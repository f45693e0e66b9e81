import { applyPatch, formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';

/** Above so many changed lines a diff takes long, and says little that the whole text does not. */
const MOST_EDITS = 5_000;

/**
 * The unified diff, without names of files, between two texts. Null where it would be too long, or does not give `after` when it
 * is applied: a recording is read when what it was made of may be gone, so nothing gets into it that was not tried.
 */
export function patchBetween(before: string | null, after: string): string | null {
  if (before === null) return null;
  const made = structuredPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: MOST_EDITS });
  if (made === undefined) return null;
  const patch = formatPatch(made, OMIT_HEADERS);
  return applyPatch(before, patch, { fuzzFactor: 0, autoConvertLineEndings: false }) === after ? patch : null;
}
