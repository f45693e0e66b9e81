import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Receiver, receiverKey } from '../../../src/config/index.ts';
import { type AsLeader, leadingBy } from '../../../src/daemon/notify/leader.ts';
import { openPost, type Post } from '../../../src/daemon/notify/post.ts';
import { InterruptedError } from '../../../src/errors.ts';
import {
  appendEvents,
  createCampaign,
  type Lead,
  listEvents,
  type Store,
  setReceivers,
} from '../../../src/store/index.ts';
import { temporary } from '../../pipeline/fixture.ts';
import { describeDatabases } from '../../support/databases.ts';
import { type Inbox, inbox } from '../../support/receiver.ts';
import { eventually } from '../fixture.ts';

const FOREVER = new AbortController().signal;
const all = ['best', 'paused', 'finished', 'fault'] as const;
const to = ({ url }: Pick<Inbox, 'url'>, timeoutMs = 60_000, on: Receiver['on'] = all): Receiver => ({
  ...{ kind: 'url', on, timeoutMs, headersEnv: {}, place: { url } },
});

describeDatabases('a post', (databases) => {
  let store: Store;
  let campaignId: number;
  let lead: Lead;
  let said: string[];
  /** Waits of failed deliveries, which take no time. */
  let waits: number[];

  beforeEach(async () => {
    store = await databases.open();
    const row = { name: 'zstd', frozen: {}, live: {}, directory: '/', rootCommit: 'c', rootTree: 't', bundleHash: 'h' };
    campaignId = (await createCampaign(store.db, row)).id;
    lead = await takeLead();
    [said, waits] = [[], []];
  });

  async function takeLead(): Promise<Lead> {
    const taken = await store.lead(campaignId, { signal: FOREVER, onWait: () => {}, silenceSeconds: 60 });
    if (taken === null) throw new Error('nobody else has it');
    onTestFinished(() => taken.release());
    return taken;
  }

  const write = (...kinds: string[]) =>
    store.db.transaction().execute((trx) =>
      appendEvents(
        trx,
        kinds.map((kind, index) => ({ campaignId, kind, ordinal: index, data: { cause: kind } })),
      ),
    );

  interface Options {
    readonly signal?: AbortSignal;
    readonly attempts?: number;
    readonly asLeader?: AsLeader;
    /** Does not say who is told: they are known from before. */
    readonly again?: boolean;
  }

  /** Time stands still but for the waits, which are over at once; aborted ones too. */
  const clock = () => {
    let now = 0;
    return {
      now: () => now,
      sleep: async (ms: number) => {
        waits.push(ms);
        now += ms;
      },
    };
  };

  async function open(notify: Receiver[], options: Options = {}): Promise<Post> {
    const { signal = FOREVER, asLeader = leadingBy(lead, lead.lost), again = false, ...rest } = options;
    if (!again) {
      await store.db.transaction().execute((trx) => setReceivers(trx, campaignId, notify.map(receiverKey)));
    }
    const directory = await temporary();
    return openPost({
      ...{ store, campaignId, asLeader, signal, clock: clock(), ...rest },
      campaign: { name: 'zstd', directory, notify },
      folder: join(directory, 'scratch'),
      onWarning: (warning) => said.push(warning),
    });
  }

  const kindsOf = (got: Inbox['all']) => got.map(({ text }) => text.split(' ').at(2)?.replace(/[:;]/, ''));
  const failures = async () =>
    (await listEvents(store.db, { campaignId, limit: 1000 })).filter(({ kind }) => kind === 'notify.failed');

  test('tells in order what is wanted, from now on, and what is written while it closes', async () => {
    await write('campaign.paused');
    const [one, other] = [await inbox(), await inbox()];
    const post = await open([to(one), to(other, 1_000, ['fault', 'finished'])]);
    await write('job.settled', 'campaign.paused', 'campaign.stopped', 'archive.placed', 'fault');
    await eventually(() => one.taken.length === 3 && other.taken.length === 2);
    await write('campaign.finished');
    await post.close();
    expect(one.taken.map(({ kind }) => kind)).toEqual(['paused', 'finished', 'fault', 'finished']);
    expect(other.taken.map(({ kind }) => kind)).toEqual(['finished', 'fault', 'finished']);
    const ids = one.taken.map(({ event }) => event ?? 0);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(said).toEqual([]);
    // The next post goes on where this one was.
    await write('fault');
    await (await open([to(one), to(other, 1_000, ['fault'])])).close();
    expect([one.taken.length, other.taken.length]).toEqual([5, 4]);
    // Who was left out in between is new again.
    await (await open([to(one)])).close();
    await write('fault');
    await (await open([to(one), to(other)])).close();
    expect([one.taken.length, other.taken.length]).toEqual([6, 4]);
  });

  test('tries again, later and later, before anything that came after', async () => {
    const one = await inbox((nth) => (nth <= 2 ? 500 : 200));
    const post = await open([to(one)]);
    await write('campaign.paused', 'fault');
    await eventually(() => one.taken.length === 2);
    await post.close();
    expect(one.all.map(({ kind }) => kind)).toEqual(['paused', 'paused', 'paused', 'fault']);
    expect(waits).toEqual([500, 1_000]);
    const name = new URL(one.url).origin;
    const id = one.all[0]?.event;
    expect(said).toEqual([`${name} was not told of campaign.paused (event ${id}): it answered 500; trying again`]);
    expect(await failures()).toEqual([]);
  });

  test('gives an event up after so many attempts, says so to nobody but the log, and goes on', async () => {
    const dead = await inbox((_nth, { kind }) => (kind === 'paused' ? 500 : 200));
    const post = await open([to(dead)], { attempts: 3 });
    await write('campaign.paused', 'fault');
    await eventually(() => dead.taken.length === 1);
    await post.close();
    expect(dead.all.map(({ kind }) => kind)).toEqual(['paused', 'paused', 'paused', 'fault']);
    const [failed, ...more] = await failures();
    expect(failed?.data).toEqual({
      ...{ receiver: new URL(dead.url).origin, event: dead.all[0]?.event, kind: 'campaign.paused' },
      ...{ attempts: 3, message: 'it answered 500' },
    });
    expect(more).toEqual([]);
  });

  test('one that hangs keeps nobody waiting, and is told by the next post', async () => {
    const [hanging, well] = [await inbox((nth) => (nth === 1 ? 'hangs' : 200)), await inbox()];
    const stop = new AbortController();
    const post = await open([to(hanging), to(well)], { signal: stop.signal });
    await write('campaign.paused', 'campaign.finished');
    await eventually(() => well.taken.length === 2 && hanging.all.length === 1);
    // An interruption ends what hangs.
    stop.abort();
    await post.close();
    expect(said).toEqual([]);
    await (await open([to(hanging), to(well)], { again: true })).close();
    expect(well.all).toHaveLength(2);
    expect(hanging.taken.map(({ kind }) => kind)).toEqual(['paused', 'finished']);
  });

  test('closing waits for a receiver no longer than its timeout', async () => {
    const dead = await inbox(() => 'hangs');
    const post = await open([to(dead, 50)], { attempts: 1_000 });
    await write('campaign.finished');
    await post.close();
    expect(await failures()).toEqual([]);
    const again = await inbox();
    await store.db.updateTable('receivers').set({ receiver: again.url }).execute();
    await (await open([to(again)], { again: true })).close();
    expect(again.taken.map(({ kind }) => kind)).toEqual(['finished']);
  });

  test('an event that was taken and not noted is told again', async () => {
    const one = await inbox();
    let away = true;
    // Dies between the two.
    const asLeader: AsLeader = async (work) => {
      const dying = { ...lead, epoch: away ? lead.epoch - 1 : lead.epoch };
      return work(dying);
    };
    const post = await open([to(one)], { asLeader });
    await write('campaign.paused', 'campaign.finished');
    await eventually(() => one.taken.length === 1);
    await post.close();
    expect(one.taken).toHaveLength(1);
    away = false;
    await (await open([to(one)], { asLeader, again: true })).close();
    expect(one.taken.map(({ event }) => event)).toEqual([1, 1, 2].map((n) => (one.taken[0]?.event ?? 0) + n - 1));
  });

  test('only the one who leads tells', async () => {
    const one = await inbox();
    const lost = new AbortController();
    const former = await open([to(one)], { asLeader: leadingBy(lead, lost.signal) });
    lost.abort();
    await write('campaign.paused');
    const other = await open([to(one)], { asLeader: async () => null, again: true });
    await former.close();
    await other.close();
    expect(one.all).toEqual([]);
    const refused = await open([to(one)], {
      again: true,
      asLeader: async () => {
        throw new InterruptedError('another process took this campaign over');
      },
    });
    await refused.close();
    expect(said).toEqual([]);
    await (await open([to(one)], { again: true })).close();
    expect(kindsOf(one.taken)).toEqual(['paused']);
  });
});
