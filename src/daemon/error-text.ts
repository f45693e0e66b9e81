import { CladeError } from '../errors.ts';

/** An error for a log: what it says and what to do; whatever nobody foresaw with its stack. */
export function errorText(error: unknown): string {
  if (error instanceof CladeError) return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
