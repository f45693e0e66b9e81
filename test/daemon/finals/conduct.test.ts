import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Host } from '../../../src/daemon/index.ts';
import { listFinals, type Store } from '../../../src/store/index.ts';
import { temporary } from '../../pipeline/fixture.ts';
import { describeDatabases } from '../../support/databases.ts';
import { campaignIn, eventually, hostOn } from '../fixture.ts';

/**
 * The number of a job is its speed, up to the limit in the data of the split, and below nothing after that: what is best on
 * train is overfitted. Says in `log` what it measured, and hangs on validation while there is `hang`.
 */
const evaluator = (workspace: string) => `#!/bin/sh
value=$(cat value.txt)
echo "$CLADE_SPLIT $value" >> ${workspace}/log
if test "$CLADE_SPLIT" = validation; then while test -e ${workspace}/hang; do sleep 0.05; done; fi
limit=$(cat "$(dirname "$0")/limit.$CLADE_SPLIT")
if test "$value" -gt "$limit"; then value=-$value; fi
if test "$CLADE_SPLIT" = validation -a "$value" = 2; then
  printf '{"status":"invalid","kind":"test","summary":"too even"}' > "$CLADE_RESULT"
  exit
fi
echo pass > "$CLADE_ARTIFACTS/verdict.txt"
printf '{"status":"valid","objectives":{"speed":%s},"metrics":{"jobs":1},"summary":"read"}' "$value" > "$CLADE_RESULT"
`;

interface Options {
  readonly jobs: number;
  readonly finals?: string;
  readonly splits?: string;
  readonly limit?: number;
}

async function splitting(workspace: string, { jobs, finals = '{finalists: 4}', splits, limit = 4 }: Options) {
  const campaign = await campaignIn(workspace, {
    jobs,
    evaluator: evaluator(workspace),
    evaluatorKeys: `splits: [${splits ?? 'train, validation, holdout'}]\n  finals: ${finals}`,
  });
  for (const [split, most] of Object.entries({ train: 99, validation: limit, holdout: 99 })) {
    await writeFile(join(workspace, 'campaigns/counting', `limit.${split}`), `${most}\n`);
  }
  return campaign;
}

/** What was measured on the splits that the search does not see, in order of split and number. */
async function measured(workspace: string): Promise<string[]> {
  // The file is there before its first line is.
  const lines = (await readFile(join(workspace, 'log'), 'utf8')).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('train')).sort();
}

async function looked(host: Host) {
  const events = await host.api.events('counting', { after: 0, limit: 1000 });
  return (
    events
      .filter(({ kind }) => kind === 'split.used' || kind === 'finals.decided' || kind === 'campaign.finished')
      // A jump is measured again, on train.
      .filter(({ data }) => (data as { split?: string }).split !== 'train')
      .map(({ kind, ordinal, data }) => ({ kind, ordinal, data }))
  );
}

const rows = async (store: Store) =>
  (await listFinals(store.db, 1)).map(({ settled, finalists, winner, closing }) => ({
    ...{ settled, finalists, winner, closing },
  }));

const best = async (host: Host) => (await host.api.patchSource('counting', { kind: 'best' })).candidates;

describeDatabases('finals', (databases) => {
  test('choose by validation, measure holdout once for the winner, and look again only at what is new', {
    timeout: 300_000,
  }, async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    expect(await host.run(await splitting(workspace, { jobs: 6 }))).toMatchObject({ kind: 'finished' });

    const validated = ['validation 0', 'validation 3', 'validation 4', 'validation 5', 'validation 6'];
    expect(await measured(workspace)).toEqual(['holdout 4', ...validated]);
    const status = await host.api.status('counting');
    expect(status).toMatchObject({
      best: { ordinal: 6 },
      looks: { validation: 5, holdout: 1 },
      winner: {
        ...{ ordinal: 4, settled: 6, closing: true },
        reason: 'job 4 has the best score on validation: speed 4, the root speed 0',
        splits: [
          { split: 'train', objectives: { speed: 4 }, root: { speed: 0 } },
          { split: 'validation', objectives: { speed: 4 }, root: { speed: 0 } },
          { split: 'holdout', objectives: { speed: 4 }, root: null },
        ],
      },
    });
    expect(status.looks).toEqual({ validation: 5, holdout: 1 });
    expect((await best(host)).map(({ ordinal }) => ordinal)).toEqual([4]);
    const jobs = await host.api.jobs('counting', { limit: 10 });
    expect(jobs.filter(({ winner }) => winner).map(({ ordinal }) => ordinal)).toEqual([4]);
    const chosen = await host.api.job('counting', 4);
    expect(chosen).toMatchObject({ winner: true });
    expect(chosen.artifacts.map(({ name }) => name)).toEqual([
      'holdout/verdict.txt',
      'validation/verdict.txt',
      'verdict.txt',
    ]);
    const [first, ...rest] = await looked(host);
    expect(first).toEqual({
      kind: 'split.used',
      ordinal: 6,
      data: { split: 'validation', purpose: 'finals', commit: status.best?.commit },
    });
    expect(rest.slice(-3)).toMatchObject([
      { kind: 'finals.decided', ordinal: 4, data: { settled: 6, winner: 4, closing: true, refused: [] } },
      { kind: 'split.used', ordinal: 4, data: { split: 'holdout', purpose: 'holdout' } },
      { kind: 'campaign.finished' },
    ]);

    // Once more without more jobs: nothing is measured and nothing decided.
    expect(await host.run(await splitting(workspace, { jobs: 6 }))).toMatchObject({ kind: 'finished' });
    expect(await measured(workspace)).toHaveLength(6);

    // A larger budget: the new end has finals of its own. The same winner needs no second look at holdout.
    await host.run(await splitting(workspace, { jobs: 7 }));
    expect(await host.api.status('counting')).toMatchObject({
      winner: { ordinal: 4, settled: 7 },
      looks: { validation: 6, holdout: 1 },
    });
    // None of the best four on train generalises, so that the root wins, and is looked at on holdout like any winner.
    await host.run(await splitting(workspace, { jobs: 12 }));
    expect(await host.api.status('counting')).toMatchObject({
      winner: { ordinal: 0, settled: 12, reason: expect.stringContaining('the root stays') },
      looks: { validation: 10, holdout: 2 },
    });
    expect(await best(host)).toEqual([]);
    expect((await measured(workspace)).filter((line) => line.startsWith('holdout'))).toEqual([
      'holdout 0',
      'holdout 4',
    ]);
    expect(await rows(store)).toEqual([
      { settled: 6, finalists: [6, 5, 4, 3, 0], winner: 4, closing: true },
      { settled: 7, finalists: [7, 6, 5, 4, 0], winner: 4, closing: true },
      { settled: 12, finalists: [12, 11, 10, 9, 0], winner: 0, closing: true },
    ]);
  });

  test('leave out whom validation or a gate refuses, and say so', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    const finals = '{finalists: 9, gates: [{name: speed, max: 3}]}';
    await host.run(await splitting(workspace, { jobs: 4, finals, splits: 'train, validation', limit: 99 }));
    expect(await rows(store)).toEqual([{ settled: 4, finalists: [4, 3, 2, 1, 0], winner: 3, closing: true }]);
    expect((await looked(host)).find(({ kind }) => kind === 'finals.decided')?.data).toMatchObject({
      refused: [
        { ordinal: 2, reason: 'validation refuses it (test: too even)' },
        { ordinal: 4, reason: 'speed is 4, above 3' },
      ],
    });
    expect(await measured(workspace)).toHaveLength(5);

    // As if they had been a checkpoint after which the budget was lowered to what is settled.
    await store.db.updateTable('finals').set({ closing: false }).execute();
    await host.run(await splitting(workspace, { jobs: 4, finals, splits: 'train, validation', limit: 99 }));
    expect(await rows(store)).toMatchObject([{ settled: 4, winner: 3, closing: true }]);
    expect(await measured(workspace)).toHaveLength(5);
  });

  test('at checkpoints fix the finalists of that moment, and close where the last of them falls on the end', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    await host.run(await splitting(workspace, { jobs: 12, finals: '{finalists: 2, every: 3}', limit: 7 }));
    expect(await rows(store)).toEqual([
      { settled: 4, finalists: [4, 3, 0], winner: 4, closing: false },
      { settled: 8, finalists: [8, 7, 0], winner: 7, closing: false },
      { settled: 12, finalists: [12, 11, 0], winner: 0, closing: true },
    ]);
    const purposes = (await looked(host)).flatMap(({ data }) => {
      const { purpose, split } = data as { purpose?: string; split?: string };
      return purpose === undefined ? [] : [`${split} for ${purpose}`];
    });
    expect(new Set(purposes)).toEqual(
      new Set(['validation for checkpoint', 'validation for finals', 'holdout for holdout']),
    );
    expect(purposes.filter((one) => one.startsWith('holdout'))).toHaveLength(1);
    expect(await host.api.status('counting')).toMatchObject({ looks: { validation: 7, holdout: 1 } });
  });

  test('wait while the campaign is stopped, and go on where they were', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    await writeFile(join(workspace, 'hang'), '');
    const campaign = await splitting(workspace, { jobs: 4 });
    const run = host.run(campaign);
    await eventually(() => existsSync(join(workspace, 'log')));
    await eventually(async () => (await measured(workspace)).length > 0);
    await host.api.stop('counting');
    await rm(join(workspace, 'hang'));
    expect(await run).toEqual({ kind: 'drained' });
    const stopped = await host.api.status('counting');
    expect(stopped).toMatchObject({ state: 'stopped', winner: null, budget: { settled: 4 } });
    expect((await measured(workspace)).length).toBeLessThan(5);

    expect(await host.run(campaign)).toMatchObject({ kind: 'finished' });
    expect(await host.api.status('counting')).toMatchObject({ state: 'finished', winner: { ordinal: 4 } });
    expect(await measured(workspace)).toEqual(['holdout 4', ...[0, 1, 2, 3, 4].map((value) => `validation ${value}`)]);
  });
});
