import type { Transaction } from 'kysely';
import { type Lead, requireLead, type Store, type Tables, tellLeader } from '../store/index.ts';

/** Where something is planned or settled. Without a lead it is done in passing, while nobody has it. */
export interface Leadership {
  readonly store: Pick<Store, 'db'>;
  readonly campaignId: number;
  readonly lead: Lead | null;
}

/**
 * A transaction of whoever plans and settles the campaign: until it is over nobody else does.
 * @throws InterruptedError, and nothing is written, when somebody else does already.
 */
export function leading<T>(
  { store, campaignId, lead }: Leadership,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return store.db.transaction().execute(async (trx) => {
    await requireLead(trx, campaignId, lead);
    return work(trx);
  });
}

/** A transaction in which a worker records what it did; whoever leads the campaign hears of it when it is committed. */
export function reporting<T>(
  { store, campaignId }: { readonly store: Pick<Store, 'db' | 'kind'>; readonly campaignId: number },
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return store.db.transaction().execute(async (trx) => {
    const result = await work(trx);
    // Embedded there is nobody but this process, which wakes itself.
    if (store.kind === 'postgres') await tellLeader(trx, campaignId);
    return result;
  });
}
