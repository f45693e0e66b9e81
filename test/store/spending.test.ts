import { expect, test } from 'vitest';
import {
  bookAbandoned,
  bookCall,
  callTotals,
  type NewCall,
  openSpending,
  readSpending,
  registerWorker,
  releaseSpending,
  reserveSpending,
  retireWorker,
  type Store,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { aCampaign } from './sample.ts';

const WORKER = { host: 'h', label: 'l', workspace: '/w', pid: 1, version: '1', roles: ['generate'] } as const;

function call(campaignId: number, costUsd: number | null): NewCall {
  return {
    ...{ campaignId, ordinal: 1, role: 'coder', provider: 'p', wire: 'chat', model: 'm', attempts: 1, status: 200 },
    ...{ inputTokens: 6, outputTokens: 4, costUsd, durationMs: 1, requestBytes: 1, responseBytes: 1 },
    startedAt: new Date(),
  };
}

describeDatabases('the money of a campaign', (databases) => {
  async function opened(): Promise<{ store: Store; campaignId: number; worker: string }> {
    const store = await databases.open();
    const campaignId = await aCampaign(store);
    await openSpending(store.db, campaignId);
    return { store, campaignId, worker: await registerWorker(store.db, WORKER) };
  }
  const wanted = (campaignId: number, worker: string) => ({
    ...{ campaignId, worker, ordinal: 1, role: 'coder', provider: 'p', costUsd: 0.25, tokens: 100 },
  });

  test('is set aside once, whoever asks at the same time', async () => {
    const { store, campaignId, worker } = await opened();
    const limits = { costUsd: 1.6, tokens: null };
    const asked = Array.from({ length: 16 }, () => reserveSpending(store.db, wanted(campaignId, worker), limits));
    const held = (await Promise.all(asked)).flatMap((id) => id ?? []);
    expect(held).toHaveLength(6);
    expect(await readSpending(store.db, campaignId)).toMatchObject({
      reservedUsd: 1.5,
      reservedTokens: 600,
      costUsd: 0,
    });
    for (const id of held.slice(0, 4)) await bookCall(store.db, call(campaignId, 0.05), id);
    await releaseSpending(store.db, held[4] ?? 0);
    expect(await readSpending(store.db, campaignId)).toMatchObject({ reservedUsd: 0.25, costUsd: 0.2, tokens: 40 });
    expect(await callTotals(store.db, campaignId)).toMatchObject({ calls: 4, costUsd: 0.2 });
    // 0.2 + 0.25 + 4 × 0.25 is below 1.6, one more is not.
    const more = Array.from({ length: 8 }, () => reserveSpending(store.db, wanted(campaignId, worker), limits));
    expect((await Promise.all(more)).filter((id) => id !== null)).toHaveLength(4);
    const tokens = { costUsd: null, tokens: 40 + 500 + 99 };
    expect(await reserveSpending(store.db, wanted(campaignId, worker), tokens)).toBeNull();
  });

  test('of calls that were cut off is booked, once, though their process comes back', async () => {
    const { store, campaignId, worker } = await opened();
    const alive = await registerWorker(store.db, { ...WORKER, pid: 2 });
    const limits = { costUsd: 1, tokens: null };
    const lost = await reserveSpending(store.db, wanted(campaignId, worker), limits);
    await reserveSpending(store.db, wanted(campaignId, alive), limits);
    const book = () => store.db.transaction().execute((trx) => bookAbandoned(trx, campaignId));
    expect(await book()).toBe(0);
    await retireWorker(store.db, worker);
    expect(await book()).toBe(1);
    expect(await book()).toBe(0);
    expect(await readSpending(store.db, campaignId)).toMatchObject({ costUsd: 0.25, tokens: 100, reservedUsd: 0.25 });
    await bookCall(store.db, call(campaignId, 0.05), lost);
    expect(await readSpending(store.db, campaignId)).toMatchObject({ costUsd: 0.25, reservedUsd: 0.25 });
    expect(await callTotals(store.db, campaignId)).toMatchObject({ calls: 2, costUsd: 0.25, unpriced: 0 });
  });

  test('begins with what the ledger has, and forgets a refusal when it is opened again', async () => {
    const { store, campaignId, worker } = await opened();
    await bookCall(store.db, call(campaignId, 0.5), null);
    await store.db.deleteFrom('spending').execute();
    await openSpending(store.db, campaignId);
    expect(await readSpending(store.db, campaignId)).toMatchObject({ costUsd: 0.5, tokens: 10, refused: false });
    await store.db.updateTable('spending').set({ refused: true }).execute();
    await openSpending(store.db, campaignId);
    expect(await readSpending(store.db, campaignId)).toMatchObject({ costUsd: 0.5, refused: false });
    expect(await reserveSpending(store.db, wanted(campaignId, worker), { costUsd: 0.7, tokens: null })).toBeNull();
  });
});
