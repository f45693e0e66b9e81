import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { appendEvents, createCampaign, type Heard, type Store } from '../../src/store/index.ts';
import { eventually } from '../daemon/fixture.ts';
import { describeDatabases, describeServer } from '../support/databases.ts';

/** Two campaigns, and what is heard of their events. */
async function listening(store: Store) {
  const ids: number[] = [];
  for (const name of ['a', 'b']) {
    const row = { name, frozen: {}, live: {}, directory: '/', rootCommit: 'c', rootTree: 't', bundleHash: 'h' };
    ids.push((await createCampaign(store.db, row)).id);
  }
  const heard: (Heard | null)[] = [];
  const end = store.bell.subscribe((event) => heard.push(event));
  onTestFinished(end);
  // From when it listens on.
  await eventually(() => heard.length > 0);
  expect(heard.shift()).toBeNull();
  return { a: ids[0] ?? 0, b: ids[1] ?? 0, heard, end };
}

describeDatabases('the bell', (databases) => {
  test('rings when events are committed, and for nothing else', async () => {
    const store = await databases.open();
    const { a, b, heard, end } = await listening(store);
    const write = (...events: Parameters<typeof appendEvents>[1]) =>
      store.db.transaction().execute((trx) => appendEvents(trx, events));
    const undone = store.db.transaction().execute(async (trx) => {
      await appendEvents(trx, [{ campaignId: a, kind: 'never' }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await write({ campaignId: a, kind: 'x.y' }, { campaignId: b, kind: 'z' }, { campaignId: a, kind: 'w' });
    await write({ campaignId: null, kind: 'x.y' }, { campaignId: null, kind: 'x.y' });
    await eventually(() => heard.length === 3);
    const byCampaign = heard.toSorted((one, other) => (one?.campaignId ?? 9) - (other?.campaignId ?? 9));
    expect(byCampaign).toEqual([
      { campaignId: a, kinds: ['w', 'x.y'] },
      { campaignId: b, kinds: ['z'] },
      { campaignId: null, kinds: ['x.y'] },
    ]);
    end();
    const others: unknown[] = [];
    onTestFinished(store.bell.subscribe((event) => others.push(event)));
    await write({ campaignId: b, kind: 'later' });
    await eventually(() => others.length > 0);
    expect(heard).toHaveLength(3);
  });
});

describeServer('the bell', (databases) => {
  test('says that something may have been missed when its session was lost, and rings again', async () => {
    const store = await databases.open();
    const { a, heard } = await listening(store);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'clade events' and datname = current_database()`.execute(store.db);
    await eventually(() => heard.length > 0);
    expect(heard.shift()).toBeNull();
    await store.db.transaction().execute((trx) => appendEvents(trx, [{ campaignId: a, kind: 'again' }]));
    await eventually(() => heard.length > 0);
    expect(heard).toEqual([{ campaignId: a, kinds: ['again'] }]);
  });
});
