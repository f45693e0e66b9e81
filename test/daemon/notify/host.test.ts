import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore, type Store } from '../../../src/store/index.ts';
import { temporary } from '../../pipeline/fixture.ts';
import { describeDatabases, describeServer } from '../../support/databases.ts';
import { inbox } from '../../support/receiver.ts';
import { campaignIn, eventually, hostOn } from '../fixture.ts';

/** Every row of every table, as text. */
async function everything({ db }: Store): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(db);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(
      db,
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

const kinds = (got: readonly { readonly kind: string }[]) => got.map(({ kind }) => kind);

describeDatabases('a host', (databases) => {
  test('has told of each best and of the end before a foreground run is over, and keeps no secret', async () => {
    // The end is what it takes its time for.
    const one = await inbox((_nth, { kind }) => sleep(kind === 'finished' ? 300 : 0, 200));
    for (const [name, value] of [
      ['HOOK', `${one.url}very-secret-place`],
      ['TOKEN', 'very-secret-word'],
    ] as const)
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await databases.open();
    const workspace = await temporary();
    const more = 'notify: [{url_env: HOOK, headers_env: {X-Key: TOKEN}}]';
    const campaign = await campaignIn(workspace, { jobs: 3, more, evaluatorKeys: 'remeasure: {jump: 0}' });
    const { host } = await hostOn(store, workspace);
    expect(await host.run(campaign)).toMatchObject({ kind: 'finished' });
    expect(kinds(one.taken)).toEqual(['best', 'best', 'best', 'finished']);
    expect(one.taken.map(({ data }) => data.job ?? (data.best as { job: number }).job)).toEqual([1, 2, 3, 3]);
    expect(one.headers[0]?.['x-key']).toBe('very-secret-word');
    expect(await host.api.rehearse('counting')).toMatchObject([{ receiver: '$HOOK', problem: null }]);
    expect(kinds(one.taken).at(-1)).toBe('test');
    const stored = await everything(store);
    expect(stored).toContain('headers_env');
    expect(stored).not.toMatch(/very-secret/);
  });

  test('lets nothing wait for one that hangs, and a service tells what was left when the receiver is well', async () => {
    let well = false;
    const one = await inbox(() => (well ? 200 : 'hangs'));
    const store = await databases.open();
    const workspace = await temporary();
    const more = `notify: [{url: "${one.url}", timeout: 100ms, on: [finished, paused]}]`;
    const campaign = await campaignIn(workspace, { jobs: 2, more });
    const { host, said } = await hostOn(store, workspace, 'wait');
    const run = host.run(campaign);
    await eventually(() => said.includes('rest counting finished'));
    expect(one.taken).toEqual([]);
    well = true;
    await eventually(() => one.taken.length === 1);
    // Also what happens while it rests.
    await host.api.resume('counting');
    await eventually(async () => one.taken.length === 2);
    expect(kinds(one.taken)).toEqual(['finished', 'finished']);
    host.drain();
    await run;
  });

  test('tells at its start what another process left untold', async () => {
    const one = await inbox((nth) => (nth === 1 ? 'hangs' : 200));
    const store = await databases.open();
    const workspace = await temporary();
    const more = `notify: [{url: "${one.url}", timeout: 50ms, on: [finished]}]`;
    const campaign = await campaignIn(workspace, { jobs: 1, more });
    const first = await hostOn(store, workspace);
    await first.host.run(campaign);
    if (one.taken.length > 0) throw new Error('it was told within 50 ms of two attempts, and this test shows nothing');
    const { host } = await hostOn(store, workspace, 'wait');
    const run = host.hold(campaign);
    await eventually(() => one.taken.length === 1);
    host.drain();
    await run;
    expect(kinds(one.taken)).toEqual(['finished']);
  });
});

describeServer('a host', (databases) => {
  test('goes on with its jobs while a receiver hangs, and an interruption ends that, too', async () => {
    const one = await inbox(() => 'hangs');
    const store = await databases.open();
    const workspace = await temporary();
    const more = `notify: [{url: "${one.url}", timeout: 5h}]`;
    const campaign = await campaignIn(workspace, { jobs: 4, more, evaluatorKeys: 'remeasure: {jump: 0}' });
    const { host, said } = await hostOn(store, workspace);
    const run = host.run(campaign);
    await eventually(
      async () => said.includes('4 candidate') && (await host.api.status('counting')).state === 'finished',
    );
    expect(kinds(one.all)).toEqual(['best']);
    host.interrupt();
    expect(await run).toMatchObject({ kind: 'finished' });
  });
});

describeServer('two daemons', (databases) => {
  test('tell once, by the one that leads', async () => {
    const one = await inbox();
    const { workspace, databaseUrl = '' } = await databases.fresh();
    vi.stubEnv('CLADE_HUB_URL', await temporary());
    onTestFinished(() => void vi.unstubAllEnvs());
    const campaign = await campaignIn(workspace, {
      jobs: 3,
      more: `notify: [{url: "${one.url}"}]`,
      evaluatorKeys: 'remeasure: {jump: 0}',
    });
    const hosts = [];
    for (const place of [workspace, await temporary()]) {
      const store = await openStore({ workspace: place, databaseUrl, label: 'a test' });
      onTestFinished(() => store.close());
      hosts.push(await hostOn(store, place, 'wait'));
    }
    const [first, second] = hosts;
    if (first === undefined || second === undefined) throw new Error('two hosts were opened');
    const runs = [first.host.run(campaign)];
    await eventually(() => first.said.length > 0);
    runs.push(second.host.run(campaign));
    await eventually(() => one.taken.some(({ kind }) => kind === 'finished'));
    for (const { host } of hosts) host.drain();
    await Promise.all(runs);
    expect(kinds(one.all)).toEqual(['best', 'best', 'best', 'finished']);
  });
});
