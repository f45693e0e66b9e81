import { join } from 'node:path';
import { createTally } from '../../../src/daemon/tally.ts';
import { createPopulation } from '../../../src/qd/index.ts';
import { openStore } from '../../../src/store/index.ts';
import { openCourt } from './court.ts';
import { type Settled, settleChunk } from './history.ts';

/** Jobs that are made by one insert and settled before the next. */
export const CHUNK = 50;

/** A campaign in a database of its own that settles more and more jobs. */
export interface GrowingCampaign extends AsyncDisposable {
  /** What the jobs took so far, in order. */
  readonly settled: readonly Settled[];
  /** Settles jobs until there are `total`. */
  growTo(total: number): Promise<void>;
}

export async function openCampaign(folder: string, name: string): Promise<GrowingCampaign> {
  const workspace = join(folder, name);
  const store = await openStore({ workspace, label: 'bench settlement' });
  const court = await openCourt(store, workspace);
  const { search, evaluator } = court.campaign;
  const islands = [createPopulation({ ...search, objectives: evaluator.objectives })];
  const memory = { islands, tally: createTally() };
  const settled: Settled[] = [];
  return {
    settled,
    async growTo(total) {
      while (settled.length < total) {
        const count = Math.min(CHUNK, total - settled.length);
        settled.push(...(await settleChunk(court, memory, { first: settled.length, count })));
      }
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}
