import type { Population } from '../qd/index.ts';
import { readTally } from './recover/index.ts';
import { type Ledger, restore } from './restore.ts';
import type { Tally } from './tally.ts';

/** What a runner knows without asking the database. All of it is a fold of the ledger and can be read back. */
export interface Memory {
  /** One population an island. */
  readonly islands: readonly Population[];
  readonly tally: Tally;
  /** Jobs planned that a budget is charged for. */
  readonly planned: number;
}

/** Reads the memory of a campaign back from its ledger. */
export async function recall(session: Ledger): Promise<Memory> {
  return { islands: await restore(session), ...(await readTally(session)) };
}
