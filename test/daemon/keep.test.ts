import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databaseApi } from '../../src/daemon/index.ts';
import { findCampaign, insertCall } from '../../src/store/index.ts';
import { temporary, writeFiles } from '../pipeline/fixture.ts';
import { describeDatabases } from '../support/databases.ts';
import { campaignIn, hostOn } from './fixture.ts';

/** Later jobs are no better than job 3, and all of them lie in one cell. */
const EVALUATOR = `#!/bin/sh
value=$(cat value.txt)
echo "$value" > "$CLADE_ARTIFACTS/picture.txt"
test "$value" = 3 && value=100
printf '{"status":"valid","objectives":{"speed":%s}}' "$value" > "$CLADE_RESULT"
`;
const KEEP = 'keep: {artifacts: 2, transcripts: 3, recordings: 2, logs: 2}';
const SEARCH = 'grid: {cells: 1}\n  front: {capacity: 1}';

describeDatabases('tidying', (databases) => {
  test('removes the bulk of old jobs, and of none that is retained or the best; records stay and the campaign goes on', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const options = { evaluator: EVALUATOR, search: SEARCH, more: KEEP };
    const { host } = await hostOn(store, workspace);
    await host.run(await campaignIn(workspace, { ...options, jobs: 8 }));
    const api = databaseApi(store.db, workspace);
    const id = (await findCampaign(store.db, 'counting'))?.id ?? 0;
    for (const ordinal of [1, 3, 8]) {
      await writeFiles(join(workspace, '.clade/calls/counting'), { [`${ordinal}.json.gz`]: 'recorded' });
      await insertCall(store.db, {
        ...{
          campaignId: id,
          ordinal,
          role: 'coder',
          provider: 'p',
          wire: 'chat',
          model: 'm',
          attempts: 1,
          status: 200,
        },
        ...{ inputTokens: 1, outputTokens: 1, costUsd: 1, durationMs: 1, requestBytes: 1, responseBytes: 1 },
        ...{ recording: `${ordinal}.json.gz`, startedAt: new Date() },
      });
    }
    const before = await api.archive('counting');
    expect(before.elites.map(({ ordinal }) => ordinal)).toEqual([3]);

    const dry = await api.tidy('counting', true);
    expect(dry).toMatchObject({
      artifacts: { items: 5 },
      transcripts: { items: 4 },
      recordings: { items: 1, bytes: 8 },
      logs: { items: 5 },
    });
    expect(dry.folders.map((folder) => folder.slice(workspace.length))).toContain('/.clade/lanes/counting/generate-0');
    expect(existsSync(join(workspace, '.clade/logs/counting/1.ndjson'))).toBe(true);
    expect(await api.tidy('counting', false)).toEqual({ ...dry, dryRun: false });

    const kept = async (ordinal: number) => {
      const { artifacts, brief, transcript } = await api.job('counting', ordinal);
      return [artifacts.length > 0, brief !== null, transcript !== null];
    };
    expect(await kept(1)).toEqual([false, false, false]);
    expect(await kept(3)).toEqual([true, true, true]);
    expect(await kept(6)).toEqual([false, true, true]);
    expect(await kept(8)).toEqual([true, true, true]);
    expect((await readdir(join(workspace, '.clade/logs/counting'))).toSorted()).toEqual([
      '0.ndjson',
      '3.ndjson',
      '7.ndjson',
      '8.ndjson',
    ]);
    expect((await readdir(join(workspace, '.clade/calls/counting'))).toSorted()).toEqual(['3.json.gz', '8.json.gz']);
    expect(await api.archive('counting')).toEqual(before);
    expect(await api.status('counting')).toMatchObject({ budget: { settled: 8 }, calls: { calls: 3, costUsd: 3 } });
    expect((await api.events('counting', { limit: 1, latest: true }))[0]).toMatchObject({
      kind: 'campaign.tidied',
      data: { artifacts: { items: 5 } },
    });
    expect(await api.tidy('counting', true)).toMatchObject({
      artifacts: { items: 0 },
      transcripts: { items: 0 },
      logs: { items: 0 },
      folders: [],
    });

    const again = await hostOn(store, workspace);
    expect(await again.host.run(await campaignIn(workspace, { ...options, jobs: 9 }))).toMatchObject({
      kind: 'finished',
    });
    expect(await api.job('counting', 9)).toMatchObject({ outcome: 'candidate' });
  });

  test('without a word of the campaign removes nothing of its jobs', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    await host.run(await campaignIn(workspace, { evaluator: EVALUATOR, jobs: 2 }));
    const none = { items: 0, bytes: 0 };
    expect(await host.api.tidy('counting', false)).toMatchObject({
      artifacts: none,
      transcripts: none,
      recordings: none,
      logs: none,
    });
    expect((await host.api.job('counting', 1)).artifacts).toHaveLength(1);
  });
});
