import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventsOf } from '../../src/cli/follow.ts';
import { frozenPart, livePart } from '../../src/config/index.ts';
import { databaseApi } from '../../src/daemon/index.ts';
import { appendEvents, createCampaign, openStore, type Store } from '../../src/store/index.ts';
import { startServer } from '../../src/web/index.ts';
import { campaignIn, temporary } from '../pipeline/fixture.ts';
import { describeDatabases, describeServer } from '../support/databases.ts';

/** A campaign with one event. */
async function campaign(store: Store) {
  const made = await campaignIn(await temporary(), { name: 'zstd' });
  const { id: campaignId } = await createCampaign(store.db, {
    ...{ name: made.name, directory: made.directory, rootCommit: 'c', rootTree: 't', bundleHash: 'h' },
    ...{ frozen: frozenPart(made), live: livePart(made) },
  });
  const write = (...kinds: string[]) =>
    store.db.transaction().execute((trx) =>
      appendEvents(
        trx,
        kinds.map((kind) => ({ campaignId, kind })),
      ),
    );
  await write('before');
  return write;
}

/** Follows until the test is over; nobody looks without being told. */
function following(workspace: string, after?: number) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const events = eventsOf({ workspace }, { name: 'zstd', after, signal: stop.signal, lookMs: 600_000 });
  return { stop, next: async () => (await events.next()).value?.kind ?? null };
}

describeServer('a log that is followed', (databases) => {
  test('is told by the database where no process serves the workspace', async () => {
    const { workspace, databaseUrl = '' } = await databases.fresh();
    vi.stubEnv('CLADE_DATABASE_URL', databaseUrl);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await openStore({ workspace, databaseUrl, label: 'a test' });
    onTestFinished(() => store.close());
    const write = await campaign(store);
    const log = following(workspace, 0);
    expect(await log.next()).toBe('before');
    for (const kind of ['one', 'two']) {
      const next = log.next();
      await write(kind);
      expect(await next).toBe(kind);
    }
    const last = log.next();
    log.stop.abort();
    expect(await last).toBeNull();
  });
});

describeDatabases('a log that is followed', (databases) => {
  test('is told by the process, and by the next one from where it was', async () => {
    const store = await databases.open();
    const { workspace } = await databases.fresh();
    const write = await campaign(store);
    const limits = { pollMs: 600_000, gapMs: 0, heartbeatMs: 600_000, patienceMs: 600_000, readers: 1 };
    const serve = () =>
      startServer(databaseApi(store.db, workspace), join(workspace, '.clade/address.json'), {
        bell: store.bell,
        limits,
      });
    const server = await serve();
    const log = following(workspace, 0);
    expect(await log.next()).toBe('before');
    const next = log.next();
    await write('one', 'two');
    expect(await next).toBe('one');
    expect(await log.next()).toBe('two');
    await server.close();
    const later = log.next();
    await write('three');
    const again = await serve();
    onTestFinished(() => again.close());
    expect(await later).toBe('three');
  });

  test('of a campaign that there is not is refused', async () => {
    const store = await databases.open();
    const { workspace } = await databases.fresh();
    const server = await startServer(databaseApi(store.db, workspace), join(workspace, '.clade/address.json'), {
      bell: null,
    });
    onTestFinished(() => server.close());
    await expect(following(workspace).next()).rejects.toMatchObject({ code: 'not_found' });
    await expect(following(workspace, 3).next()).rejects.toMatchObject({ code: 'not_found' });
  });
});
