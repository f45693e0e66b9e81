import { addWallMs } from '../store/index.ts';
import { leading } from './leading.ts';
import type { Session } from './session.ts';

/** The time that a campaign has used, over all its stretches of work. */
export interface Wall {
  /** Milliseconds, what is not charged yet included. */
  readonly usedMs: number;
  /** Writes the time since the last charge down, if it is at least `leastMs`. */
  charge(leastMs?: number): Promise<void>;
}

/** Goes on counting where the campaign's row ends, by a clock that never jumps. */
export async function startWall(session: Pick<Session, 'store' | 'campaignId' | 'lead'>): Promise<Wall> {
  // Who lost the lead charges nothing: it may have been suspended for hours.
  const add = (ms: number): Promise<number> => leading(session, (trx) => addWallMs(trx, session.campaignId, ms));
  let charged = await add(0);
  let since = performance.now();
  const elapsed = (): number => Math.round(performance.now() - since);
  return {
    get usedMs() {
      return charged + elapsed();
    },
    async charge(leastMs = 0) {
      const ms = elapsed();
      if (ms < leastMs) return;
      charged = await add(ms);
      since += ms;
    },
  };
}
