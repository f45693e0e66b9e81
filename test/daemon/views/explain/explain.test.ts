import { expect, onTestFinished, test } from 'vitest';
import { databaseApi, type Explanation } from '../../../../src/daemon/index.ts';
import { type JsonText, openStore, type Store, toJson } from '../../../../src/store/index.ts';
import { temporary } from '../../../pipeline/fixture.ts';
import { describeDatabases } from '../../../support/databases.ts';
import { campaignIn, hostOn } from '../../fixture.ts';

/** Makes few trees, so that they repeat; now and then it edits what it must not, or nothing. */
const AGENT = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
job=\${job#job-}
test $((job % 9)) = 5 && echo mine > README.md
test $((job % 9)) = 6 && exit 0
echo $((job * 5 % 31)) > value.txt
`;
/** Refuses some, and measures the others in no order. */
const EVALUATOR = `#!/bin/sh
value=$(cat value.txt)
if test $((value % 10)) = 7; then
  printf '{"status":"invalid","kind":"test","summary":"it broke"}' > "$CLADE_RESULT"
else
  printf '{"status":"valid","objectives":{"speed":%s}}' $((value * 7 % 11)) > "$CLADE_RESULT"
fi
`;

/** Runs a campaign to its end and explains its jobs, the root first. */
async function explained(store: Store, jobs: number, search: string) {
  const workspace = await temporary();
  const campaign = await campaignIn(workspace, { agent: AGENT, evaluator: EVALUATOR, jobs, search });
  const { host } = await hostOn(store, workspace);
  await host.run(campaign);
  const explain = (ordinal: number) => databaseApi(store.db, workspace).explain('counting', ordinal);
  const explanations = await Promise.all(Array.from({ length: jobs + 1 }, (_, ordinal) => explain(ordinal)));
  return { explain, explanations };
}

/** The jobs that do not replay; the root never does. */
const strange = (explanations: readonly Explanation[]) =>
  explanations.slice(1).flatMap(({ ordinal, replay }) => (replay.result === 'same' ? [] : [{ ordinal, replay }]));

describeDatabases('explanations', (databases) => {
  test.each([
    [
      'streams on islands that exchange elites',
      20,
      'schedule: {mode: streaming}\n  islands: {count: 2, migrate_every: 2}',
    ],
    ['the champion, one at a time', 5, 'policy: sequential-champion'],
  ])('every job replays as it was planned: %s', async (_, jobs, search) => {
    const { explanations } = await explained(await databases.open(), jobs, search);
    expect(strange(explanations)).toEqual([]);
    expect(explanations[0]?.replay.result).toBe('not possible');
  });
});

test('a campaign of batches is explained, replays, and does not once somebody changed it', async () => {
  const store = await openStore({ workspace: await temporary(), label: 'a test' });
  onTestFinished(() => store.close());
  const search = 'grid: {cells: 3}\n  islands: {count: 2, migrate_every: 2}';
  const { explain, explanations } = await explained(store, 40, search);
  expect(strange(explanations)).toEqual([]);

  await agreesWithArchive(store, explanations);
  const outcomes = new Set(explanations.map(({ verdict }) => verdict.outcome));
  expect([...outcomes].sort()).toEqual(['candidate', 'duplicate', 'failed', 'invalid', 'no_change']);
  const told = (outcome: string) =>
    explanations.find(({ verdict }) => verdict.outcome === outcome)?.verdict.because.join(' ');
  expect(told('invalid')).toBe('The evaluator refused it (test): it broke.');
  expect(told('duplicate')).toMatch(/^It repeats job \d+: the same tree as job \d+\.$/);
  expect(told('failed')).toMatch(/^It failed at scope: .*README\.md/);

  expect(told('no_change')).toBe('It made no candidate: the agent changed nothing.');

  const last = explanations.findLast(({ inspirations }) =>
    inspirations.chosen.some(({ origin }) => origin === 'migrant'),
  );
  const change = (values: { baseOrdinal?: number; inspirations?: JsonText; decision?: JsonText }) =>
    store.db
      .updateTable('jobs')
      .set(values)
      .where('ordinal', '=', last?.ordinal ?? 0)
      .execute();
  const replayed = async () => (await explain(last?.ordinal ?? 0)).replay;
  const base = last?.base.ordinal ?? 0;
  await change({ baseOrdinal: base + 1 });
  const details = [`base: the ledger has ${base + 1}, the policy gives ${base}`];
  expect(await replayed()).toEqual({ result: 'different', details });
  await change({ baseOrdinal: base });
  expect((await replayed()).result).toBe('same');
  await change({ inspirations: toJson([]) });
  expect((await replayed()).details[0]).toMatch(/^inspirations: the ledger has \[\]/);
  await change({ decision: toJson({ reason: 'whim' }) });
  expect((await explain(last?.ordinal ?? 0)).base.because).toEqual([
    'No decision is stored that this version can read.',
  ]);
  await store.db.deleteFrom('events').where('kind', '=', 'job.planned').execute();
  expect((await replayed()).result).toBe('not possible');
});

async function agreesWithArchive(store: Store, explanations: readonly Explanation[]): Promise<void> {
  const { elites } = await databaseApi(store.db, '/nowhere').archive('counting');
  const retained = explanations.flatMap(({ verdict, ordinal }) =>
    verdict.placements.filter((one) => one.current && one.retained).map(({ island }) => `${island}/${ordinal}`),
  );
  expect(retained.sort()).toEqual(elites.map(({ island, ordinal }) => `${island}/${ordinal}`).sort());
  for (const { ordinal, verdict, base, inspirations } of explanations) {
    for (const { retained, by, evicted } of verdict.placements) {
      expect({ ordinal, lost: by.length > 0 }).toEqual({ ordinal, lost: !retained });
      expect([...by, ...evicted]).not.toContain(ordinal);
    }
    if (base.drawn !== null) expect(Math.min(base.drawn.occupied, base.drawn.members)).toBeGreaterThan(0);
    const distances = inspirations.chosen.flatMap(({ distance }) => distance ?? []);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    for (const { origin, cell } of inspirations.chosen) expect(cell === null).toBe(origin === 'migrant');
  }
}
