import { applyPatch } from 'diff';
import { objectId } from '../../git/index.ts';
import type { RecordedContent, RecordedFile } from './format.ts';

/** A file, or a symbolic link with where it leads as its bytes. */
export interface Content {
  readonly mode: string;
  readonly bytes: Buffer;
}

/** What is at a path: content, a folder (or a thing that Git does not hold), or nothing. */
export type Found = Content | 'folder' | null;

export type Fit =
  | { readonly kind: 'put'; readonly content: Content }
  | { readonly kind: 'remove' }
  /** It is already as it is to be. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'misfit'; readonly reason: string };

type Before = NonNullable<RecordedFile['before']>;

const KEEP: Fit = { kind: 'keep' };
const misfit = (reason: string): Fit => ({ kind: 'misfit', reason });

/**
 * One recorded change on what is found, in the manner of a three-way merge. Where the path is what it was then, it becomes what
 * came of it; where it is that already, it stays. Else mode and content are merged each by itself: the text by its diff, whose
 * context must be there to the letter, at any place of the file. A folder in the place of a new file is the caller's to judge.
 */
export function fitChange({ before, after }: RecordedFile, found: Found): Fit {
  if (after === null) {
    // Where there is a folder, the file is gone as well.
    if (found === null || found === 'folder') return KEEP;
    const known = before !== null && found.mode === before.mode && has(found, before.blob);
    return known ? { kind: 'remove' } : misfit('it was deleted then, and is another one now');
  }
  if (found !== null && found !== 'folder' && found.mode === after.mode && has(found, after.blob)) return KEEP;
  if (before === null) return appear(after, found);
  if (found === null) return misfit('it is not there');
  return found === 'folder' ? misfit('it is a folder') : merge(before, after, found);
}

function appear(after: RecordedContent, found: Found): Fit {
  const bytes = wholeOf(after);
  if (bytes === null) return misfit('it is new, and not recorded as a whole');
  if (found !== null && found !== 'folder') return misfit('it was new then, and is there already');
  return { kind: 'put', content: { mode: after.mode, bytes } };
}

function merge(before: Before, after: RecordedContent, found: Content): Fit {
  if (found.mode !== before.mode && found.mode !== after.mode) {
    return misfit(`its mode is ${found.mode}, and was ${before.mode}`);
  }
  const bytes = merged(before, after, found);
  if (bytes === null) return misfit('what was changed then reads otherwise now');
  return { kind: 'put', content: { mode: after.mode, bytes } };
}

function merged(before: Before, after: RecordedContent, found: Content): Buffer | null {
  if (after.blob === before.blob) return found.bytes;
  if ('patch' in after) return patched(found.bytes, after.patch);
  return has(found, before.blob) ? wholeOf(after) : null;
}

function patched(bytes: Buffer, patch: string): Buffer | null {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return null;
  const result = applyPatch(text, patch, { fuzzFactor: 0, autoConvertLineEndings: false });
  return result === false ? null : Buffer.from(result);
}

/** Null where the content is not given as a whole. */
function wholeOf(after: RecordedContent): Buffer | null {
  if ('text' in after) return Buffer.from(after.text);
  return 'base64' in after ? Buffer.from(after.base64, 'base64') : null;
}

const has = ({ bytes }: Content, blob: string): boolean => objectId(blob, 'blob', bytes) === blob;
