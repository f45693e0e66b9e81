import type { Hub } from './hub.ts';

export interface DiffText {
  /** Unified diff, valid UTF-8 without NUL. */
  readonly text: string;
  readonly truncated: boolean;
}

/** The unified diff between two commits or trees, cut at a line end at or below `maxBytes`. */
export async function diffText(
  _hub: Hub,
  _a: string,
  _b: string,
  _limits: { maxBytes: number; paths?: readonly string[] },
): Promise<DiffText> {
  throw new Error('not built yet');
}
