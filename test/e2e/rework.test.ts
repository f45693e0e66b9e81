import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView, EventView } from '../../src/daemon/index.ts';
import { openHub, readCommit } from '../../src/git/index.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** `$again` is 1 where a proposal came back, `$job` the number of the job. */
const AGENT = `#!/bin/sh
brief=$(cat)
job=$(basename "$(dirname "$HOME")"); job=\${job##*-}
again=0
case $brief in *'# Once more'*) again=1;; esac
`;

/** What says “broken” does not build; a number is the rate. */
const EVALUATOR = `#!/bin/sh
echo "measured $(cat rate.dat)" >> "$CLADE_CACHE/log"
if grep -q broken rate.dat; then
  echo 'rate.dat:1: not a number' >&2
  printf '{"status": "invalid", "kind": "build", "summary": "it does not compile", "evidence": "see %s"}' "$(cat rate.dat | tr -d '\\n')" > "$CLADE_RESULT"
else
  printf '{"status": "valid", "objectives": {"rate": %s}}' "$(cat rate.dat)" > "$CLADE_RESULT"
fi
`;

interface Options {
  readonly agent: string;
  readonly agents?: string;
  readonly warmup?: number;
  readonly jobs?: number;
  readonly more?: Readonly<Record<string, string>>;
}

async function campaign(workspace: Workspace, { agent, agents = '', warmup = 40, jobs = 2, more }: Options) {
  return workspace.campaign('rates', {
    'target/rate.dat': '1\n',
    'target/gain.js': 'export const offset = 0;\n',
    'evaluate.sh': EVALUATOR,
    'agent.sh': AGENT + agent,
    'campaign.yaml': `target: {repository: ./target, edit: ["*"]}
goal: a higher rate
evaluator: {command: [./evaluate.sh], objectives: [{name: rate, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 2, coder: {kind: command, command: [./agent.sh]}${agents}}
search: {policy: independent-root, warmup: ${warmup}, projection: {dimensions: 1}, schedule: {size: 2}}
budget: {jobs: ${jobs}}
`,
    ...more,
  });
}

async function show(workspace: Workspace, ...jobs: number[]): Promise<CandidateView[]> {
  const views: CandidateView[] = [];
  for (const job of jobs) views.push(await workspace.ask<CandidateView>('show', `rates:${job}`));
  return views;
}

test('a coder is told what its proposal failed of, and mends it in the same job', async () => {
  const workspace = await openWorkspace();
  const agent =
    'if [ $again = 1 ]; then cat rate.dat; echo "1$job" > rate.dat; else echo "broken $job" > rate.dat; fi\n';
  expectDone(await workspace.run('run', await campaign(workspace, { agent, agents: ', rework: 2' })));
  const status = await workspace.ask<CampaignStatus>('status', 'rates');
  expect(status).toMatchObject({ outcomes: { candidate: 2, invalid: 0 }, budget: { planned: 2, settled: 2 } });
  const job = await workspace.ask<CandidateView>('show', 'rates:2');
  expect(job).toMatchObject({ outcome: 'candidate', round: 1, evaluations: [{ objectives: { rate: 12 } }] });
  // It began with what had come back, and was told why.
  expect(job.transcript).toContain('broken 2');
  expect(job.brief).toContain('build: it does not compile');
  expect(job.brief).toContain('see broken 2');
  expect(job.brief).toContain('rate.dat:1: not a number');
  expect(job.revisions).toMatchObject([
    { round: 0, cause: 'rework', reason: 'build: it does not compile', title: expect.any(String) },
  ]);
  expect(job.revisions[0]?.brief).not.toContain('Once more');
  expect(job.lineage.map(({ ordinal }) => ordinal)).toEqual([0, 2]);
  const hub = await openHub(join(workspace.dir, '.clade/hubs/rates.git'));
  await promisify(execFile)('git', ['--git-dir', hub.dir, 'gc', '--prune=now', '--quiet']);
  for (const commit of [job.commit, job.revisions[0]?.commit]) {
    expect((await readCommit(hub, commit ?? '')).parents).toEqual([job.parentCommit]);
  }
  const { stdout } = await workspace.run('show', job.revisions[0]?.commit.slice(0, 12) ?? '');
  expect(stdout).toMatch(/^rates job 2: candidate/);
  expect(stdout).toMatch(/^round 0 +\w{10} went back for rework: build: it does not compile$/m);
  expect((await workspace.run('jobs', 'rates')).stdout).toContain('settled, round 1');
});

test('a proposal that is never mended comes back as often as it may, and is one invalid job', async () => {
  const workspace = await openWorkspace();
  const agent = 'echo "broken $job" >> rate.dat\n';
  expectDone(await workspace.run('run', await campaign(workspace, { agent, agents: ', rework: 2' })));
  const status = await workspace.ask<CampaignStatus>('status', 'rates');
  expect(status).toMatchObject({ outcomes: { invalid: 2 }, budget: { settled: 2 } });
  const job = await workspace.ask<CandidateView>('show', 'rates:1');
  expect(job).toMatchObject({ outcome: 'invalid', stage: 'evaluate', failureKind: 'build', round: 2 });
  expect(job.revisions.map(({ round }) => round)).toEqual([0, 1]);
  expect(new Set([job.tree, ...job.revisions.map(({ tree }) => tree)]).size).toBe(3);
});

test('a coder that has nothing more to say ends its job with what it had', async () => {
  const workspace = await openWorkspace();
  const agent = '[ $again = 1 ] || echo "broken $job" > rate.dat\n';
  expectDone(await workspace.run('run', await campaign(workspace, { agent, agents: ', rework: 5' })));
  const job = await workspace.ask<CandidateView>('show', 'rates:1');
  expect(job).toMatchObject({ outcome: 'invalid', failureKind: 'build', round: 1, changedPaths: ['rate.dat'] });
  expect(job.commit).toBe(job.revisions[0]?.commit);
  const events = await workspace.ask<EventView[]>('log', 'rates');
  const ofJob = events.filter(({ ordinal }) => ordinal === 1).map(({ kind }) => kind);
  expect(ofJob).toEqual(['job.planned', 'job.reworked', 'job.stands', 'job.settled']);
});

test('both of two jobs of a batch with one failing tree go back; a later one with it is a duplicate', async () => {
  const workspace = await openWorkspace();
  const agent = 'if [ $again = 1 ]; then exit; else echo "broken" > rate.dat; fi\n';
  const folder = await campaign(workspace, { agent, agents: ', rework: 1', jobs: 4 });
  expectDone(await workspace.run('run', folder));
  const jobs = await show(workspace, 1, 2, 3, 4);
  expect(jobs.map(({ outcome, round }) => [outcome, round])).toEqual([
    ['invalid', 1],
    ['duplicate', 1],
    ['duplicate', 0],
    ['duplicate', 0],
  ]);
});

test('what is nearly known goes back once, before anybody measures it; what is known is a duplicate', async () => {
  const workspace = await openWorkspace();
  // The second batch does as good as the same as the first, until it is told; the third does the very same.
  const agent = `line='export const gain = (value) => value * scale + offset; // turns the rate up'
[ $job -lt 5 ] || job=1
if [ $job -gt 2 ] && [ $again = 1 ]; then printf 'class Job%s { constructor(queue) { this.queue = queue; } }\\n' $job > gain.js; else printf '%s\\n' "$line" >> gain.js; fi
echo "1$job" > rate.dat
`;
  const folder = await campaign(workspace, { agent, agents: ', novelty: 0.02, rework: 1', warmup: 1, jobs: 6 });
  expectDone(await workspace.run('run', folder));
  const [first, ...later] = await show(workspace, 1, 3, 4);
  expect(first).toMatchObject({ outcome: 'candidate', round: 0, revisions: [] });
  for (const job of later) {
    expect(job.round).toBe(1);
    expect(job.outcome).toBe('candidate');
    expect(job.revisions).toMatchObject([{ round: 0, cause: 'novelty' }]);
    expect(job.revisions[0]?.reason).toMatch(/^nearly the same as candidate #\d, “.*” \(cosine distance [\d.e-]+\)$/);
    expect(job.brief).toContain('nearly the same as');
    // Only the proposal that counts was measured.
    expect(job.evaluations).toHaveLength(1);
  }
  const known = await show(workspace, 5, 6);
  expect(known.map(({ outcome, duplicateOf, round }) => [outcome, duplicateOf, round])).toEqual([
    ['duplicate', 1, 0],
    ['duplicate', 1, 0],
  ]);
  const log = await readFile(join(workspace.dir, '.clade/cache/rates/train/log'), 'utf8');
  expect(log.trim().split('\n').sort()).toEqual([1, 11, 12, 13, 14].map((rate) => `measured ${rate}`));
});
