/** The page in a real browser, on campaigns that run and that are over. */
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Campaign } from '../../src/config/index.ts';
import type { CladeApi } from '../../src/daemon/index.ts';
import { insertArtifacts, openStore, type Store } from '../../src/store/index.ts';
import { startServer } from '../../src/web/index.ts';
import { number, percent } from '../../src/web/page/format.ts';
import { hostOn } from '../daemon/fixture.ts';
import { campaignIn, temporary } from '../pipeline/fixture.ts';
import { describeIf } from '../support/requirements.ts';
import { type Browser, openBrowser } from './browser.ts';
import { builtPage } from './built.ts';

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

await describeIf('chromium', 'in a browser', () => {
  let page: string;
  beforeAll(async () => {
    const { folder, remove } = await builtPage();
    page = folder;
    return remove;
  });

  test('a campaign is followed while it runs and can be looked at when it is over', async () => {
    const workspace = await temporary();
    const store = await openStore({ workspace, label: 'a test' });
    const { host } = await hostOn(store, workspace);
    const server = await startServer(host.api, join(workspace, 'address.json'), { bell: store.bell, page });
    const browser = await openBrowser();
    onTestFinished(async () => {
      await browser.close();
      await server.close();
      await store.close();
    });
    const campaign = await campaignIn(workspace, { jobs: 6 });
    await browser.visit(`${server.url}/`);
    await browser.until(`document.querySelector('h1')?.textContent === 'Campaigns'`);

    const run = host.run(campaign);
    await browser.until(`document.querySelector('tbody a') !== null`);
    await browser.evaluate(`document.querySelector('tbody a').click()`);
    await browser.until(`document.querySelector('.state')?.textContent.includes('live')`);
    // Nothing is asked for by the test: what is shown came by itself.
    await browser.until(`document.querySelector('.state')?.textContent.startsWith('finished')`);
    await run;
    await looksLike(browser, host.api);
    await showsJob(browser, host.api, store, campaign);
    expect(browser.complaints).toEqual([]);
    expect(browser.requests.filter((address) => !address.startsWith(`${server.url}/`))).toEqual([]);
  });
});

/** Every number of the campaign's page is that of the API. */
async function looksLike(browser: Browser, api: CladeApi): Promise<void> {
  const status = await api.status('counting');
  const jobs = await api.jobs('counting', { limit: 50, latest: true });
  await browser.until(`document.querySelectorAll('#jobs ~ * tbody tr').length === ${jobs.length}`);
  const facts = await browser.evaluate<Record<string, string>>(
    `Object.fromEntries([...document.querySelectorAll('.facts div')].map((one) => [one.firstChild.textContent, one.lastChild.textContent]))`,
  );
  expect(facts['best so far']).toContain(`speed ${number(status.best?.scores.speed ?? NaN)}`);
  expect(facts['over the root']).toBe(percent(status.gain) || 'no ratio: the root is 0');
  expect(facts.jobs).toContain(`${status.budget.settled}/${status.budget.jobs}`);
  const cells = await browser.evaluate<string[][]>(
    `[...document.querySelectorAll('#jobs ~ * tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );
  expect(cells.map(([job, , speed, title]) => [job, speed, title])).toEqual(
    jobs.map(({ ordinal, objectives, title }) => [
      ordinal === 0 ? 'root' : `job ${ordinal}`,
      objectives?.speed === undefined ? '' : number(objectives.speed),
      title ?? '',
    ]),
  );
  // The chart has been drawn: something of it is not the paper.
  await browser.until(
    `(() => { const canvas = document.querySelector('.chart canvas'); const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); return data.some((value) => value !== 0); })()`,
  );
  for (const scheme of ['light', 'dark'] as const) {
    await browser.emulate({ width: 390, scheme });
    await browser.until(`document.documentElement.scrollWidth <= 390 && innerWidth === 390`);
  }
  await browser.emulate({ width: 1200, scheme: 'light' });
}

/** What an agent and a candidate wrote is text, and pictures are shown. */
async function showsJob(browser: Browser, api: CladeApi, store: Store, { name }: Campaign): Promise<void> {
  const [job] = await api.jobs(name, { limit: 1, outcome: 'candidate', latest: true });
  const { ordinal, tree } = await api.job(name, job?.ordinal ?? 0);
  const written = { title: MARKUP, summary: MARKUP, transcript: MARKUP, brief: MARKUP };
  await store.db.updateTable('jobs').set(written).where('ordinal', '=', ordinal).execute();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>parent.document.title = 1</script></svg>';
  const content = new TextEncoder().encode(svg);
  await store.db
    .transaction()
    .execute((trx) =>
      insertArtifacts(trx, { campaignId: 1, ordinal, tree: tree ?? '' }, [
        { name: 'a.svg', mediaType: 'image/svg+xml', content },
      ]),
    );
  await browser.evaluate(`location.hash = '#/campaigns/${name}/jobs/${ordinal}'`);
  await browser.until(
    `document.querySelector('.headline') !== null && document.querySelector('.artifacts img')?.complete`,
  );
  expect(await browser.evaluate(`document.title`)).toBe(`${name} job ${ordinal} · Clade`);
  expect(await browser.evaluate(`document.querySelector('.headline').textContent`)).toBe(MARKUP);
  expect(await browser.evaluate(`[...document.querySelectorAll('main pre')].map((text) => text.textContent)`)).toEqual(
    expect.arrayContaining([MARKUP]),
  );
  expect(await browser.evaluate(`document.querySelectorAll('main img, main script').length`)).toBe(1);
  expect(await browser.evaluate(`document.querySelector('.artifacts img').naturalWidth`)).toBe(40);
  const { text } = await api.diff(name, ordinal);
  await browser.until(`document.querySelector('#change ~ section pre')?.textContent === ${JSON.stringify(text)}`);
  await browser.evaluate(`document.querySelector('#why ~ details summary').click()`);
  const { verdict } = await api.explain(name, ordinal);
  await browser.until(
    `document.querySelector('#why').parentElement.textContent.includes(${JSON.stringify(verdict.because[0])})`,
  );
}
