import { expect, test } from 'vitest';
import { type DescriptorRow, databaseApi } from '../../src/daemon/index.ts';
import { workspaceFolders } from '../../src/pipeline/index.ts';
import { openStore } from '../../src/store/index.ts';
import { startServer } from '../../src/web/index.ts';
import { hostOn } from '../daemon/fixture.ts';
import { type CampaignOptions, campaignIn, temporary } from '../pipeline/fixture.ts';
import { clade } from './captured.ts';

/** Odd jobs add a function to one file, even jobs make another; the value is the number of the job. */
const agent = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
job=\${job#job-}
echo "$job" > value.txt
if test $((job % 2)) = 1; then
  echo "export function twice$job(list) { return list.map((x) => x * $job); }" >> src/main.js
else
  echo "export const table$job = [$job, 'a', 'b'];" > src/table.js
fi
`;
const evaluator = (features: string) => `#!/bin/sh
speed=$(cat value.txt)
printf '{"status":"valid","objectives":{"speed":%s}${features}}' "$speed" > "$CLADE_RESULT"
`;

async function workspaceWith(options: CampaignOptions): Promise<string> {
  const workspace = await temporary();
  const store = await openStore({ workspace, label: 'a test' });
  const { host } = await hostOn(store, workspace);
  expect(await host.run(await campaignIn(workspace, { agent, jobs: 12, ...options }))).toMatchObject({
    kind: 'finished',
  });
  await store.close();
  return workspace;
}

interface Comparison {
  readonly candidates: number;
  readonly own: string;
  readonly descriptors: readonly DescriptorRow[];
}

test('every descriptor is measured on the history of a campaign, and one that cannot be says why', async () => {
  const workspace = await workspaceWith({ evaluator: evaluator('') });
  const { code, stdout } = await clade('descriptor', 'counting', '--json', '-w', workspace);
  expect(code).toBe(0);
  const { candidates, own, descriptors }: Comparison = JSON.parse(stdout);
  expect({ candidates, own }).toEqual({ candidates: 13, own: 'displacement' });
  expect(descriptors.map((row) => [row.kind, row.report === null])).toEqual([
    ['displacement', false],
    ['repository-mean', false],
    ['diff', false],
    ['structural', false],
    ['features', true],
    ['random', false],
  ]);
  const of = (kind: string) => descriptors.find((row) => row.kind === kind)?.report ?? null;
  expect(descriptors.at(4)?.why).toContain('no features');
  for (const kind of ['displacement', 'diff', 'structural', 'random'] as const) {
    expect(of(kind)).toMatchObject({ entries: 13, distances: { count: 78 } });
    expect(of(kind)?.grid.occupied).toBeGreaterThan(1);
  }
  // Which file a candidate changed shows in what it is made of, and nowhere in a hash of its tree.
  const byFiles = (kind: string): number => of(kind)?.separation.files ?? Number.NaN;
  expect(byFiles('displacement')).toBeGreaterThan(0.4);
  expect(Math.abs(byFiles('random'))).toBeLessThan(0.3);

  const text = await clade('descriptor', 'counting', '-w', workspace);
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(text.stdout).toMatch(/^13 valid candidates/);
  expect(text.stdout).toMatch(/^displacement \* +[\d.]+ /m);
  expect(text.stdout).toMatch(/^features .* the evaluator gives the root no features/m);
  expect(text.stdout).toContain('distance 3.22e-6, max 8.32e-6, moved 43 %');
});

test('through the process that serves the workspace it says the same', async () => {
  const workspace = await workspaceWith({
    evaluator: evaluator(',"features":{"half":%s}').replace('"$speed"', '"$speed" "$speed"'),
  });
  const direct = await clade('descriptor', 'counting', '--json', '-w', workspace);
  const store = await openStore({ workspace, label: 'a test' });
  const api = databaseApi(store.db, workspace);
  const pages = [];
  for (const from of [0, 5, 10, 13]) pages.push((await api.materials('counting', { from, limit: 5 })).candidates);
  expect(pages.map((page) => page.length)).toEqual([5, 5, 3, 0]);
  expect(pages.flat()).toEqual((await api.materials('counting', { from: 0, limit: 100 })).candidates);
  const server = await startServer(api, workspaceFolders(workspace).address, { bell: null });
  const served = await clade('descriptor', 'counting', '--json', '-w', workspace);
  await server.close();
  await store.close();
  expect(served).toEqual(direct);
  const { descriptors }: Comparison = JSON.parse(served.stdout);
  expect(descriptors.every((row) => row.why === null)).toBe(true);
  expect(descriptors.at(4)?.report?.separation.objectives.speed).toBeGreaterThan(0.5);
});

test('a campaign without candidates is refused', async () => {
  const workspace = await temporary();
  const store = await openStore({ workspace, label: 'a test' });
  const { host } = await hostOn(store, workspace);
  await host.run(await campaignIn(workspace, { agent: '#!/bin/sh\ncat > /dev/null\n', jobs: 1 }));
  await store.close();
  expect(await clade('descriptor', 'counting', '-w', workspace)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing to compare'),
  });
});
