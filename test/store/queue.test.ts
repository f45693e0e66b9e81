import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Queue, Store } from '../../src/store/index.ts';
import { type Databases, describeDatabases } from '../support/databases.ts';
import { aCampaign } from './sample.ts';

describeDatabases('the queue', (databases) => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await setUp(databases);
  });
  afterEach(() => {
    expect(bench.reports).toEqual([]);
  });

  it('hands out each entry once, as many at a time as asked, and wakes its workers', async () => {
    const { queue, campaign } = bench;
    let running = 0;
    let most = 0;
    let seen = gather<number>(4);
    await queue.work('generate', campaign, { concurrency: 2 }, async ({ ordinal }) => {
      most = Math.max(most, ++running);
      await sleep(20);
      running--;
      seen.add(ordinal);
    });
    // A worker that is not woken waits 30 s for its next poll: six rounds of that are more than a test may take.
    for (let round = 0; round < 6; round++) {
      seen = gather(4);
      const batch = [1, 2, 3, 4].map((n) => 4 * round + n);
      await bench.enqueue(batch);
      expect((await seen.all).sort((a, b) => a - b)).toEqual(batch);
    }
    expect(most).toBe(2);
  });

  it('has nothing of a transaction that was rolled back', async () => {
    const { store, queue, campaign } = bench;
    const seen = gather(1);
    await queue.work('generate', campaign, { concurrency: 1 }, async ({ ordinal }) => seen.add(ordinal));
    const rolledBack = store.db.transaction().execute(async (trx) => {
      await queue.enqueue(trx, 'generate', campaign, [{ campaignId: campaign, ordinal: 1 }]);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await bench.enqueue([2]);
    expect(await seen.all).toEqual([2]);
  });

  it('keeps the campaigns and the two kinds apart', async () => {
    const { store, queue, campaign } = bench;
    const other = await aCampaign(store, 'other');
    await queue.prepare(other);
    const seen = gather(1);
    const evaluated = gather(1);
    await queue.work('generate', other, { concurrency: 1 }, async ({ ordinal }) => seen.add(ordinal));
    await queue.work('evaluate', campaign, { concurrency: 1 }, async (entry) => {
      evaluated.add('tree' in entry ? entry.tree : 'a trial');
    });
    await store.db.transaction().execute(async (trx) => {
      await queue.enqueue(trx, 'generate', campaign, [{ campaignId: campaign, ordinal: 1 }]);
      await queue.enqueue(trx, 'evaluate', campaign, [{ campaignId: campaign, tree: 't', split: 'train' }]);
      await queue.enqueue(trx, 'generate', other, [{ campaignId: other, ordinal: 2 }]);
    });
    expect([await seen.all, await evaluated.all]).toEqual([[2], ['t']]);
  });

  it('forgets what is cleared, also what a dead worker held', async () => {
    const { queue, campaign } = bench;
    const held = gather(1);
    const release = Promise.withResolvers<void>();
    const lane = await queue.work('generate', campaign, { concurrency: 1 }, async ({ ordinal }) => {
      held.add(ordinal);
      await release.promise;
    });
    await bench.enqueue([1, 2]);
    await held.all;
    await queue.clear(campaign);
    release.resolve();
    await lane.stop();
    const seen = gather(1);
    await queue.work('generate', campaign, { concurrency: 1 }, async ({ ordinal }) => seen.add(ordinal));
    await bench.enqueue([3]);
    expect(await seen.all).toEqual([3]);
  });

  it('reports a handler that throws, does not try its entry again, and goes on', async () => {
    const { queue, campaign, reports } = bench;
    const seen = gather(2);
    await queue.work('generate', campaign, { concurrency: 1 }, async ({ ordinal }) => {
      seen.add(ordinal);
      if (ordinal === 1) throw new Error('broken');
    });
    await bench.enqueue([1, 2]);
    expect(await seen.all).toEqual([1, 2]);
    expect(reports.splice(0)).toEqual(['broken']);
  });

  it('stops: running handlers end, the rest stays, and a handler out of time is told', async () => {
    const { queue, campaign } = bench;
    const started = gather(1);
    const ended: string[] = [];
    await queue.work('generate', campaign, { concurrency: 1 }, async ({ ordinal }, signal) => {
      started.add(ordinal);
      await sleep(60_000, undefined, { signal }).catch(() => {});
      ended.push(`${ordinal} ${signal.aborted}`);
    });
    await bench.enqueue([1, 2]);
    await started.all;
    await queue.stop(1_000);
    await sleep(50);
    expect(ended).toEqual(['1 true']);
  });
});

interface Bench {
  readonly store: Store;
  readonly queue: Queue;
  readonly campaign: number;
  readonly reports: string[];
  enqueue(ordinals: readonly number[]): Promise<void>;
}

async function setUp(databases: Databases): Promise<Bench> {
  const store = await databases.open();
  const reports: string[] = [];
  const queue = await store.startQueue({
    onError: (error) => reports.push(error.message),
    onWarning: (warning) => reports.push(warning.message),
  });
  const campaign = await aCampaign(store);
  await queue.prepare(campaign);
  return {
    store,
    queue,
    campaign,
    reports,
    async enqueue(ordinals) {
      const payloads = ordinals.map((ordinal) => ({ campaignId: campaign, ordinal }));
      await store.db.transaction().execute((trx) => queue.enqueue(trx, 'generate', campaign, payloads));
    },
  };
}

/** Collects `count` values; `all` resolves with them. */
function gather<T>(count: number): { add(value: T): void; all: Promise<T[]> } {
  const { promise, resolve } = Promise.withResolvers<T[]>();
  const values: T[] = [];
  return {
    add(value) {
      values.push(value);
      if (values.length === count) resolve([...values]);
    },
    all: promise,
  };
}
