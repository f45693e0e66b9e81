import type { Transaction } from 'kysely';
import type { Left } from '../../pipeline/index.ts';
import { keepInterrupted, type Tables } from '../../store/index.ts';

/** What was kept of a job that was cut off, for an event. */
export interface Kept {
  readonly ordinal: number;
  /** Null when it could not be read. */
  readonly bytes: number | null;
  readonly truncated: boolean;
}

/** Keeps what coders had changed when they were cut off, with their jobs. */
export async function keepLeft(trx: Transaction<Tables>, campaignId: number, left: readonly Left[]): Promise<Kept[]> {
  for (const { ordinal, changes } of left) {
    if (changes !== null) await keepInterrupted(trx, { campaignId, ordinal, tree: changes.tree }, changes.patch);
  }
  return left.map(({ ordinal, changes }) => ({
    ordinal,
    bytes: changes?.patch.length ?? null,
    truncated: changes?.truncated ?? false,
  }));
}
