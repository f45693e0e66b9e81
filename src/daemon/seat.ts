import type { Campaign } from '../config/index.ts';
import { createFaults, type Faults } from './faults.ts';
import type { RunEnd, Runner } from './runner.ts';
import { createWake, type Wake } from './wake.ts';

/** A campaign that is served. */
export interface Seat {
  campaign: Campaign;
  runner: Runner | null;
  readonly resumed: Wake;
  /** Somebody asked for it to run, by starting it or by changing its file. */
  wanted: boolean;
  /** Whether it was worked on here: then what it needs was there. */
  served: boolean;
  /** Of opening it again. */
  readonly faults: Faults;
  done: Promise<RunEnd>;
}

export function createSeat(campaign: Campaign, wanted: boolean): Seat {
  return {
    ...{ campaign, wanted, runner: null, served: false },
    resumed: createWake(),
    faults: createFaults(),
    done: Promise.resolve({ kind: 'drained' }),
  };
}
