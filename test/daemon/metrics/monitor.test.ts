import { expect, test } from 'vitest';
import { createMonitor } from '../../../src/daemon/index.ts';
import { createApp } from '../../../src/web/index.ts';
import { temporary } from '../../pipeline/fixture.ts';
import { describeDatabases } from '../../support/databases.ts';
import { campaignIn, hostOn } from '../fixture.ts';

const HOST = { host: '127.0.0.1:4000' };

describeDatabases('a monitor', (databases) => {
  test('tells machines how the campaigns stand and whether this process can take work', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const campaign = await campaignIn(workspace, { jobs: 4 });
    const { host } = await hostOn(store, workspace);
    const lost = new AbortController();
    using monitor = createMonitor(store, host, { lost: lost.signal });
    const app = createApp(host.api, { token: 't', monitor });
    const ask = (path: string) => app.request(path, { headers: HOST });
    expect(await (await ask('/healthz')).json()).toEqual({ alive: true });
    const ready = await ask('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, reasons: [] }]);
    await host.run(campaign);

    const answer = await ask('/metrics');
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = (await answer.text()).split('\n');
    const valueAt = (sample: string) => lines.find((line) => line.startsWith(`${sample} `))?.slice(sample.length + 1);
    expect(valueAt('clade_jobs_settled_total{campaign="counting",outcome="candidate"}')).toBe('4');
    expect(valueAt('clade_campaign_state{campaign="counting",state="finished"}')).toBe('1');
    expect(valueAt('clade_best{campaign="counting",objective="speed"}')).toBe('4');
    expect(valueAt('clade_budget_jobs_used_total{campaign="counting"}')).toBe('4');
    expect(valueAt('clade_workers{state="active"}')).toBe('1');
    expect(valueAt('clade_evaluation_seconds_count{campaign="counting"}')).toBe('5');
    expect(valueAt('clade_evaluation_seconds_bucket{campaign="counting",le="+Inf"}')).toBe('5');
    expect(valueAt('clade_evaluation_seconds_bucket{campaign="counting",le="43200"}')).toBe('5');
    expect(valueAt('clade_generation_seconds_count{campaign="counting"}')).toBe('4');
    expect(Number(valueAt('clade_generation_seconds_sum{campaign="counting"}'))).toBeGreaterThan(0);
    expect(Number(valueAt('clade_process_resident_memory_bytes'))).toBeGreaterThan(1e6);
    const plain = /^(# (HELP|TYPE) clade_\w+ .+|clade_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?[\d.e+-]+|)$/;
    expect(lines.filter((line) => !plain.test(line))).toEqual([]);

    lost.abort();
    host.drain();
    const unready = await ask('/readyz');
    expect(unready.status).toBe(503);
    expect(await unready.json()).toMatchObject({ ready: false, reasons: [expect.any(String), expect.any(String)] });
    expect((await app.request('/metrics', { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  test('is not ready while the database is away', async () => {
    const store = await databases.open();
    const { host } = await hostOn(store, await temporary());
    const silent = {
      getExecutor: () => ({
        ...store.db.getExecutor(),
        transformQuery: (node: unknown) => node,
        compileQuery: () => ({ sql: '', parameters: [] }),
        executeQuery: () => new Promise(() => undefined),
      }),
    } as unknown as typeof store.db;
    using monitor = createMonitor({ db: silent }, host, { lost: new AbortController().signal }, 50);
    expect(await monitor.readiness()).toEqual({ ready: false, reasons: ['the database does not answer'] });
  });
});
