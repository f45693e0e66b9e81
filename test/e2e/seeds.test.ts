import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView, EventView, JobView, SeedView } from '../../src/daemon/index.ts';
import { git } from '../fixtures/awkward.ts';
import { ledgerCampaign, say } from '../support/ledger.ts';
import { expectDone, until, type Workspace, workspaces } from '../support/workspace.ts';
import { dumpCampaign } from './dump.ts';

const openWorkspace = workspaces();

interface Prepared {
  readonly workspace: Workspace;
  readonly folder: string;
  /** The commit of branch `mine`. */
  readonly mine: string;
}

/** A campaign on a repository with a branch `mine` that books more, `stray` that leaves the scope, and a patch that books less. */
async function prepare(jobs: number): Promise<Prepared> {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await ledgerCampaign({ jobs }));
  const target = join(folder, 'target');
  const file = join(target, 'ledger.js');
  const root = await readFile(file, 'utf8');
  const commitAll = async (message: string): Promise<string> => {
    await git(target, ['add', '-A']);
    await git(target, ['commit', '-q', '-m', message]);
    return (await git(target, ['rev-parse', 'HEAD'])).trim();
  };
  await git(target, ['init', '-q', '-b', 'main']);
  await commitAll('Root');
  await git(target, ['checkout', '-q', '-b', 'mine']);
  await writeFile(file, root.replace('33', '9001'));
  const mine = await commitAll('Book much more');
  await git(target, ['checkout', '-q', '-b', 'stray']);
  await writeFile(join(target, 'other.js'), '');
  await commitAll('Leave the scope');
  await git(target, ['checkout', '-q', 'main']);
  await writeFile(file, root.replace('44', '5'));
  await writeFile(join(workspace.dir, 'less.patch'), await git(target, ['diff']));
  await git(target, ['checkout', '-q', '.']);
  return { workspace, folder, mine };
}

const jobsOf = ({ workspace }: Prepared): Promise<JobView[]> => workspace.ask('jobs', 'ledger');
const sow = ({ workspace }: Prepared, ...seeds: string[]): Promise<SeedView[]> =>
  workspace.ask('seed', 'ledger', ...seeds);

/** The first job alone, so that there is a campaign to bring seeds to. */
async function begin(prepared: Prepared): Promise<void> {
  expectDone(await prepared.workspace.run('run', prepared.folder, '--jobs', '1'));
  expect(await sow(prepared, 'mine', 'less.patch')).toMatchObject([
    { source: prepared.mine, title: 'Book much more', added: true, job: null },
    { source: 'less.patch', added: true, job: null },
  ]);
}

test('a commit and a patch become the next jobs, once, also when the run is killed', { timeout: 300_000 }, async () => {
  const calm = await prepare(9);
  await begin(calm);
  const { workspace } = calm;
  expect(await sow(calm, 'mine')).toMatchObject([{ added: false, job: null }]);
  const refused = await workspace.run('seed', 'ledger', 'stray');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('outside the edit scope: other.js');
  expectDone(await workspace.run('run', calm.folder));

  const jobs = await jobsOf(calm);
  expect(jobs.map(({ ordinal, kind }) => `${ordinal} ${kind}`)).toEqual([
    ...['0 root', '1 generate', '2 seed', '3 seed'],
    ...[4, 5, 6, 7, 8, 9].map((ordinal) => `${ordinal} generate`),
  ]);
  expect(jobs[2]).toMatchObject({ outcome: 'candidate', base: 0, title: 'Book much more', added: 1, deleted: 1 });
  const seed = await workspace.ask<CandidateView>('show', 'ledger:2');
  expect(seed).toMatchObject({ changedPaths: ['ledger.js'], decision: { policy: 'seed', source: calm.mine } });
  expect(seed.placements.length).toBeGreaterThan(0);
  for (const [job, result] of [
    [2, 'not possible'],
    [4, 'same'],
    [5, 'same'],
    [6, 'same'],
  ] as const) {
    expect(await workspace.ask('explain', `ledger:${job}`)).toMatchObject({ ordinal: job, replay: { result } });
  }
  expect(await workspace.ask('status', 'ledger')).toMatchObject({ budget: { jobs: 9, planned: 9, settled: 9 } });
  expect(await sow(calm, 'less.patch', calm.mine)).toMatchObject([
    { added: false, job: 3 },
    { added: false, job: 2 },
  ]);
  const events = await workspace.ask<EventView[]>('log', 'ledger');
  expect(events.filter(({ kind }) => kind === 'seed.imported')).toHaveLength(2);

  const killed = await prepare(9);
  await begin(killed);
  const release = await say(killed.workspace, 'ledger', 'hang');
  const run = killed.workspace.start('run', killed.folder);
  await run.says(/dashboard/);
  await until(
    () => killed.workspace.ask<CampaignStatus>('status', 'ledger'),
    ({ budget }) => budget.planned > 1,
  );
  await sleep(100);
  run.signal('SIGKILL');
  await run.ended;
  await release();
  expectDone(await killed.workspace.run('run', killed.folder));
  expect(await dumpCampaign({ workspace: killed.workspace.dir }, 'ledger')).toEqual(
    await dumpCampaign({ workspace: workspace.dir }, 'ledger'),
  );
});

test('seeds come to a run under way, over its HTTP API', { timeout: 300_000 }, async () => {
  const prepared = await prepare(500);
  const { workspace, folder, mine } = prepared;
  const early = await workspace.run('seed', 'ledger', 'mine');
  expect(early).toMatchObject({ code: 1, stdout: '' });
  const run = workspace.start('run', folder);
  await run.says(/^\[4\/500\]/m);
  expect(await sow(prepared, 'mine')).toMatchObject([{ source: mine, added: true }]);
  const [known] = await until(
    () => sow(prepared, 'mine'),
    ([again]) => again?.job !== null,
  );
  expect(known).toMatchObject({ added: false });
  await run.says(new RegExp(`^\\[${known?.job}/500\\]`, 'm'));
  run.signal('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(await workspace.ask('show', `ledger:${known?.job}`)).toMatchObject({ title: 'Book much more', base: 0 });
});
