import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import {
  beat,
  bindLabel,
  buryPredecessors,
  buryWorkers,
  claimEvaluation,
  claimJob,
  countWaiting,
  getBundle,
  hasAbandoned,
  hasBundle,
  isUnled,
  listHeld,
  listWorkers,
  type NewWorker,
  putBundle,
  reclaimUnfinished,
  recordFailure,
  registerWorker,
  requireLead,
  retireWorker,
  type Store,
  tellLeader,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { plan } from './life.ts';
import { aCampaign, BY } from './sample.ts';

const worker = (more: Partial<NewWorker> = {}): NewWorker => ({
  ...{ host: 'a', label: 'bench', workspace: '/w', pid: 1, version: '1', roles: ['generate', 'evaluate'] },
  ...more,
});
const SIGNAL = new AbortController().signal;
const inTransaction = <T>(store: Store, work: Parameters<ReturnType<Store['db']['transaction']>['execute']>[0]) =>
  store.db.transaction().execute(work) as Promise<T>;

/** As if it had been silent for so long. */
async function silence(store: Store, id: string, seconds: number): Promise<void> {
  await store.db
    .updateTable('workers')
    .set({ heartbeatAt: sql<Date>`now() - make_interval(secs => ${seconds})` })
    .where('id', '=', id)
    .execute();
}

describeDatabases('workers', (databases) => {
  it('hold what they claim while they are heard of, and no longer', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    const [alive, silent] = [await registerWorker(store.db, worker()), await registerWorker(store.db, worker())];
    const kept = await claimJob(store.db, campaign, 1, alive);
    const lost = await claimJob(store.db, campaign, 2, silent);
    if (kept === undefined || lost === undefined) throw new Error('not claimed');
    await silence(store, silent, 31);
    expect(await buryWorkers(store.db, 60)).toEqual([]);
    expect(await hasAbandoned(store.db, campaign)).toBe(false);
    expect(await buryWorkers(store.db, 30)).toEqual([silent]);
    expect(await hasAbandoned(store.db, campaign)).toBe(true);
    const reclaimed = await store.db.transaction().execute((trx) => reclaimUnfinished(trx, campaign, null));
    expect(reclaimed.jobs).toEqual([2]);
    expect(await hasAbandoned(store.db, campaign)).toBe(false);
    expect(await beat(store.db, silent, {})).toBe(false);
    expect(await beat(store.db, alive, { [campaign]: 'the disk is full' })).toBe(true);
    expect((await listWorkers(store.db)).map(({ id, faults }) => [id, faults])).toEqual([
      [alive, { [campaign]: 'the disk is full' }],
    ]);
    expect(await listHeld(store.db)).toMatchObject([{ worker: alive, ordinal: 1, stage: 'generate' }]);
    expect(await countWaiting(store.db, campaign)).toEqual({ generate: 1, evaluate: 1 });
    // It was only cut off, and comes back with what it made.
    const failure = { outcome: 'failed', stage: 'agent', kind: 'crash', reason: 'late' } as const;
    expect(await store.db.transaction().execute((trx) => recordFailure(trx, lost, failure))).toBe(false);
    expect(await store.db.transaction().execute((trx) => recordFailure(trx, kept, failure))).toBe(true);
  });

  it('that live and work on nothing give back what they could not write', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    const mine = await registerWorker(store.db, worker());
    await claimJob(store.db, campaign, 1, mine);
    const back = (idle: string | null) =>
      store.db.transaction().execute((trx) => reclaimUnfinished(trx, campaign, idle));
    expect((await back(null)).jobs).toEqual([]);
    expect((await back(mine)).jobs).toEqual([1]);
  });

  it('of a workspace are dead when another process has its lock', async () => {
    const store = await databases.open();
    const [old, elsewhere] = [
      await registerWorker(store.db, worker()),
      await registerWorker(store.db, worker({ host: 'b' })),
    ];
    expect(await buryPredecessors(store.db, { host: 'a', workspace: '/w' })).toEqual([old]);
    expect((await listWorkers(store.db)).map(({ id }) => id)).toEqual([elsewhere]);
    await retireWorker(store.db, elsewhere);
    expect(await listWorkers(store.db)).toEqual([]);
  });

  it('measure a campaign under the label of its root alone', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 0);
    const key = { campaignId: campaign, tree: 't0', split: 'train' } as const;
    await bindLabel(store.db, campaign, 'bench');
    await bindLabel(store.db, campaign, 'other');
    expect(await claimEvaluation(store.db, key, { worker: 'w', label: 'other' })).toBeUndefined();
    expect(await claimEvaluation(store.db, key, { worker: 'w', label: 'bench' })).toMatchObject({ worker: 'w' });
    const free = await aCampaign(store, 'free');
    await plan(store, free, 0);
    expect(await claimEvaluation(store.db, { ...key, campaignId: free }, BY)).toBeDefined();
  });
});

describeDatabases('the lead of a campaign', (databases) => {
  const waiting = { signal: SIGNAL, onWait: () => {}, silenceSeconds: 30 };

  it('refuses what an earlier leader writes', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    const first = await store.lead(campaign, waiting);
    await first?.release();
    const second = await store.lead(campaign, waiting);
    expect(second?.epoch).toBe((first?.epoch ?? 0) + 1);
    await inTransaction(store, (trx) => requireLead(trx, campaign, second));
    await expect(inTransaction(store, (trx) => requireLead(trx, campaign, first))).rejects.toThrow(InterruptedError);
    await second?.release();
    await expect(store.lead(404, waiting)).rejects.toThrow();
  });

  it('can be done without in passing, while nobody has it', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await inTransaction(store, (trx) => requireLead(trx, campaign, null));
    if (databases.kind === 'pglite') return; // there is no other session that could have it
    const lead = await store.lead(campaign, waiting);
    expect(await inTransaction(store, (trx) => isUnled(trx, campaign))).toBe(false);
    await expect(inTransaction(store, (trx) => requireLead(trx, campaign, null))).rejects.toThrow(InterruptedError);
    const other = await aCampaign(store, 'other');
    expect(await inTransaction(store, (trx) => isUnled(trx, other))).toBe(true);
    await lead?.release();
  });

  it('is waited for, taken over when its session ends, and lost by whoever had it', async () => {
    if (databases.kind === 'pglite') return; // one process at a time has it
    const store = await databases.open();
    const campaign = await aCampaign(store);
    const first = await store.lead(campaign, waiting);
    const waits = Promise.withResolvers<void>();
    const second = store.lead(campaign, { ...waiting, onWait: waits.resolve });
    await waits.promise;
    const impatient = new AbortController();
    const third = store.lead(campaign, {
      ...waiting,
      signal: impatient.signal,
      onWait: () => impatient.abort(),
    });
    expect(await third).toBeNull();
    const lost = new Promise((resolve) => first?.lost.addEventListener('abort', resolve));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'clade lead' and datname = current_database()
      and pid in (select pid from pg_locks where locktype = 'advisory' and granted)`.execute(store.db);
    await lost;
    const taken = await second;
    expect(taken?.epoch).toBe((first?.epoch ?? 0) + 1);
    const heard = new Promise<void>((resolve) => taken?.onNews(resolve));
    await inTransaction(store, (trx) => tellLeader(trx, campaign));
    await heard;
    await first?.release();
    await taken?.release();
  });
});

describeDatabases('pinned evaluators', (databases) => {
  it('come back as they were kept, in pieces', async () => {
    const store = await databases.open();
    const bytes = Buffer.alloc(2.5 * 2 ** 20, 'abc');
    const archive = async function* () {
      for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
    };
    expect(await hasBundle(store.db, 'h')).toBe(false);
    for (const _ of [1, 2]) await inTransaction(store, (trx) => putBundle(trx, 'h', archive()));
    expect(await hasBundle(store.db, 'h')).toBe(true);
    const pieces: Uint8Array[] = [];
    for await (const piece of getBundle(store.db, 'h')) pieces.push(piece);
    expect(pieces).toHaveLength(3);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });
});
