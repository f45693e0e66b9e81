import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { listRefs, openHub } from '../../src/git/index.ts';
import { findMarked, workspaceMark } from '../../src/process/index.ts';
import { generatorFor, type Rng } from '../../src/qd/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { killRuns } from '../support/killing.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { type Clade, type Workspace, workspaces } from '../support/workspace.ts';
import { type Dump, dumpCampaign } from './dump.ts';

const JOBS = 40;
const KILLS = 10;
/** Of the kills, those that fall into the start, recovery included; the others wait for progress first. */
const EARLY = 3;

/** Small edits in large batches: some of one batch make the same tree. */
const CAMPAIGN = { jobs: JOBS, batch: 8, edits: 1 };

const openWorkspace = workspaces();
let undisturbed: { readonly dump: Dump; readonly refs: readonly string[] };

beforeAll(async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ ...CAMPAIGN, lanes: 1 }));
  expect(await workspace.run('run', folder)).toMatchObject({ code: 0, stderr: '' });
  undisturbed = { dump: await dumpCampaign({ workspace: workspace.dir }, 'ledger'), refs: await refsOf(workspace) };
}, 300_000);

test('an undisturbed run has candidates of every kind, an archive and a winner', () => {
  const { dump, refs } = undisturbed;
  expect(dump.charged).toEqual({ planned: JOBS, settled: JOBS });
  expect(dump.outcomes.invalid).toBeGreaterThan(0);
  const repeated = dump.jobs.flatMap(({ reason }) => /^the same (tree|identity) as/.exec(reason ?? '')?.[1] ?? []);
  expect(new Set(repeated)).toEqual(new Set(['tree', 'identity']));
  expect(dump.projections.length).toBeGreaterThan(1);
  expect(dump.archive.elites.length).toBeGreaterThan(1);
  expect(dump.best?.ordinal).toBeGreaterThan(0);
  const commits = dump.jobs.flatMap(({ candidate }) => candidate?.commit ?? []);
  expect(refs.filter((ref) => !ref.includes('/root ')).map((ref) => ref.split(' ')[1])).toEqual(commits.slice(1));
});

describeDatabases('a campaign that is killed again and again', (databases) => {
  test(`comes to the same end after ${KILLS} times SIGKILL, with more lanes too`, { timeout: 600_000 }, async () => {
    const { databaseUrl } = await databases.fresh();
    const workspace = await openWorkspace(databaseUrl === undefined ? {} : { CLADE_DATABASE_URL: databaseUrl });
    const folder = await workspace.campaign('ledger', await ledgerCampaign({ ...CAMPAIGN, lanes: 3 }));
    const rng = generatorFor({ seed: 20261130, island: 0, ordinal: 0, purpose: 'kills' });

    await killRuns(workspace, folder, KILLS, (clade, kill) =>
      kill < EARLY ? Promise.race([sleep(100 + rng.below(3000)), settled(clade, 2)]) : progress(clade, rng),
    );

    expect(findMarked(workspaceMark(workspace.dir))).toEqual([]);
    const where = { workspace: workspace.dir, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
    expect(await dumpCampaign(where, 'ledger')).toEqual(undisturbed.dump);
    expect(await refsOf(workspace)).toEqual(undisturbed.refs);
  });
});

/** Waits until up to two jobs were settled, and then a moment more. */
async function progress(clade: Clade, rng: Rng): Promise<void> {
  await settled(clade, rng.below(3));
  await sleep(rng.below(100));
}

const settled = (clade: Clade, jobs: number): Promise<void> =>
  clade.says(new RegExp(`dashboard .*\\n(?:(?:      best .*\\n)?\\[\\d.*\\n){${jobs}}`));

/** The commits that the hub holds, `ref commit`, by ordinal. */
async function refsOf(workspace: Workspace): Promise<string[]> {
  const hub = await openHub(join(workspace.dir, '.clade/hubs/ledger.git'));
  const refs = [...(await listRefs(hub, 'refs/clade/ledger/'))].map((pair) => pair.join(' '));
  return refs.sort(new Intl.Collator('en', { numeric: true }).compare);
}
