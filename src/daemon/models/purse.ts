import type { Kysely } from 'kysely';
import type { Budget, Reservation } from '../../gateway/index.ts';
import {
  noteRefusal,
  openSpending,
  readSpending,
  releaseSpending,
  reserveSpending,
  type SpendingLimits,
  type Tables,
} from '../../store/index.ts';

/** The budget of a campaign, which all processes that work on it share. */
export interface Purse extends Budget {
  /** The limit that is used up, or leaves no room for another call; null while there is room. */
  exhausted(): Promise<string | null>;
}

export interface PurseOptions {
  readonly db: Kysely<Tables>;
  readonly campaignId: number;
  /** Who makes the calls, as of now. */
  readonly worker: () => string;
  /** Asked each time, because it may be changed while a campaign runs. */
  readonly limits: () => SpendingLimits;
}

/** Opens it: whoever starts or resumes a campaign may have raised a limit that left no room. */
export async function openPurse({ db, campaignId, worker, limits }: PurseOptions): Promise<Purse> {
  await openSpending(db, campaignId);
  const exhausted = async (): Promise<string | null> => {
    const { costUsd, tokens } = limits();
    if (costUsd === null && tokens === null) return null;
    const spent = await readSpending(db, campaignId);
    if (spent === undefined) return null;
    if (costUsd !== null && spent.costUsd >= costUsd) return `budget: ${costUsd} USD`;
    if (tokens !== null && spent.tokens >= tokens) return `budget: ${tokens} tokens`;
    return spent.refused ? 'budget: what is left is less than a call may cost' : null;
  };
  return {
    exhausted,
    async reserve({ costUsd, tokens }, { ordinal, role, provider }) {
      const whose = { campaignId, worker: worker(), ordinal, role, provider };
      const id = await reserveSpending(db, { ...whose, costUsd, tokens }, limits());
      if (id !== null) return reservation(id, () => releaseSpending(db, id));
      await noteRefusal(db, campaignId);
      return null;
    },
    refusal: async () => (await exhausted()) ?? 'what is left of it is less than this call may cost',
  };
}

/** What was really used is booked with the call. */
function reservation(id: number, release: () => Promise<void>): Reservation {
  return { id, settle: () => undefined, release };
}
