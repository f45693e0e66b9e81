import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ConflictError, NotFoundError } from '../../src/errors.ts';
import {
  addWallMs,
  appendEvents,
  createCampaign,
  findCampaign,
  getArtifact,
  getCampaign,
  getRepositoryVector,
  insertArtifacts,
  latestProjection,
  listArtifacts,
  listCampaigns,
  listEvents,
  listPlacements,
  listProjections,
  noteIsolation,
  placementsOf,
  putRepositoryVector,
  type Store,
  savePlacements,
  saveProjection,
  setCampaignState,
  updateLive,
  vectorCache,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { plan } from './life.ts';
import { aCampaign } from './sample.ts';

describeDatabases('campaigns', (databases) => {
  it('keep their parts as written and have a name of their own', async () => {
    const store = await databases.open();
    const id = await aCampaign(store);
    await updateLive(store.db, id, { concurrency: 4 });
    await setCampaignState(store.db, id, 'paused', 'disk full');
    expect([await addWallMs(store.db, id, 1500), await addWallMs(store.db, id, 0.5)]).toEqual([1500, 1500.5]);
    for (const level of [2, 1, 3]) await noteIsolation(store.db, id, level);
    const row = await getCampaign(store.db, id);
    expect(row).toMatchObject({
      name: 'sample',
      frozen: { goal: 'faster', Objectives_Kept: [1, 2] },
      live: { concurrency: 4 },
      state: 'paused',
      cause: 'disk full',
      isolation: 1,
    });
    expect(row.createdAt).toBeInstanceOf(Date);
    await expect(aCampaign(store)).rejects.toThrow(ConflictError);
    const other = await aCampaign(store, 'other');
    expect((await listCampaigns(store.db)).map((campaign) => campaign.id)).toEqual([id, other]);
    expect((await findCampaign(store.db, 'other'))?.id).toBe(other);
    await expect(getCampaign(store.db, 99)).rejects.toThrow(NotFoundError);
  });

  it('refuse what JSON cannot hold', async () => {
    const store = await databases.open();
    const { id: _, ...input } = await getCampaign(store.db, await aCampaign(store));
    for (const bad of [Number.NaN, 1n, new Map(), [Number.POSITIVE_INFINITY]]) {
      await expect(createCampaign(store.db, { ...input, name: 'bad', frozen: { bad } })).rejects.toThrow(TypeError);
    }
  });
});

describeDatabases('vectors', (databases) => {
  it('come back to the bit, and the first one written stays', async () => {
    const store = await databases.open();
    const cache = vectorCache(store.db);
    const odd = Float32Array.of(0.1, -0, 3.4e38, 1e-45);
    await cache.put(new Map([['a', odd]]));
    await cache.put(
      new Map([
        ['a', Float32Array.of(9)],
        ['b', Float32Array.of(1)],
      ]),
    );
    const found = await cache.get(['a', 'b', 'c']);
    expect([...found.keys()].sort()).toEqual(['a', 'b']);
    expect(found.get('a')).toEqual(odd);
    expect(await cache.get([])).toEqual(new Map());
  });

  it('of thousands of files fit into few statements', async () => {
    const store = await databases.open();
    const cache = vectorCache(store.db);
    const many = new Map(Array.from({ length: 4_100 }, (_, index) => [`key ${index}`, Float32Array.of(index)]));
    await cache.put(many);
    expect(await cache.get([...many.keys()])).toEqual(many);
  });

  it('of repositories are kept by tree', async () => {
    const store = await databases.open();
    const key = { campaignId: await aCampaign(store), provider: 'local:64', tree: 't1' };
    const vector = { sum: Float64Array.of(0.1, Math.PI), count: 3, depth: 2 };
    await putRepositoryVector(store.db, key, vector);
    await putRepositoryVector(store.db, key, { ...vector, count: 9 });
    expect(await getRepositoryVector(store.db, key)).toEqual(vector);
    expect(await getRepositoryVector(store.db, { ...key, tree: 't2' })).toBeUndefined();
  });
});

describeDatabases('epochs', (databases) => {
  it('keep the projection to the byte and the verdicts of the whole history', async () => {
    const store = await databases.open();
    const campaignId = await aCampaign(store);
    const count = 8_000;
    const payload = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    const placements = Array.from({ length: count }, (_, ordinal) => ({
      ordinal,
      verdict: ordinal % 2 === 0 ? ('new' as const) : ('rejected' as const),
      cell: 2 ** 40 + ordinal,
      reason: 'empty-cell',
      coordinates: [0.1, 0.25],
      evicted: [1, 2],
    }));
    await settledJobs(store, campaignId, count);
    await store.db.transaction().execute(async (trx) => {
      for (const epoch of [1, 2]) {
        await saveProjection(trx, { campaignId, island: 0, epoch, settlement: 8 * epoch, payload });
        await savePlacements(trx, { campaignId, island: 0, epoch }, placements.slice(0, epoch === 1 ? 3 : count));
      }
      await savePlacements(trx, { campaignId, island: 0, epoch: 2 }, []);
    });
    const latest = await latestProjection(store.db, campaignId, 0);
    expect(latest?.epoch).toBe(2);
    expect(new Uint8Array(latest?.payload ?? [])).toEqual(payload);
    expect((await listProjections(store.db, campaignId, 0)).map((row) => row.epoch)).toEqual([1, 2]);
    expect(await latestProjection(store.db, campaignId, 1)).toBeUndefined();
    const stored = await listPlacements(store.db, { campaignId, island: 0, epoch: 2 });
    expect(stored).toHaveLength(count);
    expect(stored[7]).toEqual({ campaignId, island: 0, epoch: 2, settlement: 7, ...placements[7] });
    expect((await placementsOf(store.db, campaignId, 2)).map((row) => row.epoch)).toEqual([1, 2]);
    const unsettled = placements.slice(0, 1).map((placement) => ({ ...placement, ordinal: count }));
    const early = store.db
      .transaction()
      .execute((trx) => savePlacements(trx, { campaignId, island: 0, epoch: 2 }, unsettled));
    await expect(early).rejects.toMatchObject({ code: '23502' });
  });
});

describeDatabases('artifacts', (databases) => {
  it('are kept by tree and name, the latest bytes', async () => {
    const store = await databases.open();
    const campaignId = await aCampaign(store);
    await plan(store, campaignId, 1);
    const owner = { campaignId, ordinal: 1, tree: 't1' };
    const save = (content: string) =>
      store.db
        .transaction()
        .execute((trx) =>
          insertArtifacts(trx, owner, [
            { name: 'plot.svg', mediaType: 'image/svg+xml', content: Buffer.from(content) },
          ]),
        );
    await save('<svg/>');
    await save('<svg>\0\xff</svg>');
    const lines = await listArtifacts(store.db, campaignId, 't1');
    expect(lines.map((line) => [line.name, line.size])).toEqual([['plot.svg', 14]]);
    const artifact = await getArtifact(store.db, lines[0]?.id ?? 0);
    expect(Buffer.from(artifact.content).toString()).toBe('<svg>\0\xff</svg>');
    await expect(getArtifact(store.db, 99)).rejects.toThrow(NotFoundError);
  });
});

describeDatabases('events', (databases) => {
  it('are read in the order in which they were written', async () => {
    const store = await databases.open();
    const campaignId = await aCampaign(store);
    expect(await listEvents(store.db, { limit: 1, order: 'descending' })).toEqual([]);
    await store.db.transaction().execute(async (trx) => {
      await appendEvents(trx, []);
      await appendEvents(trx, [
        { campaignId, kind: 'job.planned', ordinal: 1, data: { base: 0 } },
        { campaignId: null, kind: 'daemon.started' },
        { campaignId, kind: 'job.planned', ordinal: 2 },
      ]);
    });
    const all = await listEvents(store.db, { after: 0, limit: 10 });
    expect(all.map(({ kind, ordinal, data }) => [kind, ordinal, data])).toEqual([
      ['job.planned', 1, { base: 0 }],
      ['daemon.started', null, {}],
      ['job.planned', 2, {}],
    ]);
    const first = all[0]?.id ?? 0;
    const rest = await listEvents(store.db, { after: first, limit: 10, campaignId });
    expect(rest.map((event) => event.ordinal)).toEqual([2]);
    const latest = { campaignId, order: 'descending', limit: 1 } as const;
    const [last] = await listEvents(store.db, latest);
    expect(last?.ordinal).toBe(2);
    expect((await listEvents(store.db, { ...latest, after: last?.id ?? 0 })).map(({ ordinal }) => ordinal)).toEqual([
      1,
    ]);
  });

  it('are never passed by a reader while a slow transaction holds an earlier id', async () => {
    const store = await databases.open();
    const campaignId = await aCampaign(store);
    const append = (kind: string, hold: () => Promise<void>) =>
      store.db.transaction().execute(async (trx) => {
        await appendEvents(trx, [{ campaignId, kind }]);
        await hold();
      });
    const held = Promise.withResolvers<void>();
    const appended = Promise.withResolvers<void>();
    const slow = append('slow', () => {
      appended.resolve();
      return held.promise;
    });
    await appended.promise;
    const fast = append('fast', async () => {});
    // On the embedded database this read waits for the transaction itself; on a server it must see nothing yet.
    const early = databases.kind === 'postgres' ? await listEvents(store.db, { after: 0, limit: 10 }) : [];
    expect(early).toEqual([]);
    held.resolve();
    await Promise.all([slow, fast]);
    const kinds = (await listEvents(store.db, { after: 0, limit: 10 })).map((event) => event.kind);
    expect(kinds).toEqual(['slow', 'fast']);
  });
});

/** The root and `count - 1` jobs, settled in the order of their ordinals. */
async function settledJobs(store: Store, campaignId: number, count: number): Promise<void> {
  await sql`
    insert into jobs (campaign_id, ordinal, kind, inspirations, state, outcome, settlement)
    select ${campaignId}::integer, n, case when n = 0 then 'root' else 'generate' end, '[]', 'settled', 'candidate', n
    from generate_series(0, ${count}::integer - 1) as n
  `.execute(store.db);
}
