import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { listRefs, openHub, readCommit } from '../../src/git/index.ts';
import { generatorFor } from '../../src/qd/index.ts';
import { type Dump, dumpCampaign } from '../e2e/dump.ts';
import { describeDatabases } from '../support/databases.ts';
import { killRuns } from '../support/killing.ts';
import { type Workspace, workspaces } from '../support/workspace.ts';

const JOBS = 16;
const KILLS = 8;

/**
 * Of four jobs one builds at once, one when it comes back, one when it comes back again, one never. What its proposal has come to is in the
 * file itself, so that the agent needs no memory. One that is nearly known becomes something else.
 */
const AGENT = `#!/bin/sh
brief=$(cat)
job=$(basename "$(dirname "$HOME")"); job=\${job##*-}
case $brief in
  *'does nearly what'*) echo "class Job$job { constructor(queue) { this.queue$job = queue; } }" > gain.js; exit;;
esac
tried=$(sed -n "s/^broken \\([0-9]*\\).*/\\1/p" rate.dat); tried=\${tried:-0}
case $((job % 4)) in 3) wanted=9;; *) wanted=$((job % 4));; esac
if [ $tried -lt $wanted ]; then echo "broken $((tried + 1)) of $job" > rate.dat; else echo "$((job * 7 % 31))" > rate.dat; fi
echo "export const turned = (value) => value * scale;" >> gain.js
echo "I did what I could for job $job"
`;

const PLANNER = `#!/bin/sh
cat > /dev/null
echo "mine" > rate.dat
echo "The plan of $(basename "$(dirname "$HOME")")"
`;

const EVALUATOR = `#!/bin/sh
if grep -q broken rate.dat; then
  printf '{"status": "invalid", "kind": "test", "summary": "red", "evidence": "saw %s"}' "$(cat rate.dat)" > "$CLADE_RESULT"
else
  printf '{"status": "valid", "objectives": {"rate": %s}}' "$(cat rate.dat)" > "$CLADE_RESULT"
fi
`;

const files = (lanes: number) => ({
  'target/rate.dat': '1\n',
  'target/gain.js': 'export const scale = 2;\n',
  'evaluate.sh': EVALUATOR,
  'agent.sh': AGENT,
  'planner.sh': PLANNER,
  'campaign.yaml': `target: {repository: ./target}
goal: a higher rate
evaluator: {command: [./evaluate.sh], concurrency: ${lanes}, objectives: [{name: rate, direction: maximize}]}
agents:
  concurrency: ${lanes}
  rework: 2
  novelty: 0.02
  planner: {kind: command, command: [./planner.sh]}
  coder: {kind: command, command: [./agent.sh]}
search: {seed: 3, warmup: 4, projection: {dimensions: 1}, schedule: {size: 4}}
budget: {jobs: ${JOBS}}
`,
});

const openWorkspace = workspaces();
let undisturbed: { readonly dump: Dump; readonly refs: readonly string[] };

beforeAll(async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('rates', files(1));
  expect(await workspace.run('run', folder)).toMatchObject({ code: 0, stderr: '' });
  undisturbed = { dump: await dumpCampaign({ workspace: workspace.dir }, 'rates'), refs: await refsOf(workspace) };
}, 300_000);

test('an undisturbed run has jobs of every kind, and a ref for each of their proposals', () => {
  const { dump, refs } = undisturbed;
  expect(dump.charged).toEqual({ planned: JOBS, settled: JOBS });
  const made = dump.jobs.slice(1);
  const causes = made.flatMap(({ revisions }) => revisions.map(({ cause }) => cause));
  expect(causes).toContain('rework');
  expect(causes).toContain('novelty');
  const ends = new Set(made.map(({ outcome, round }) => `${outcome} ${round}`));
  for (const end of ['candidate 0', 'candidate 1', 'candidate 2', 'invalid 2']) expect([...ends]).toContain(end);
  for (const { revisions, round } of made) expect(revisions.map((one) => one.round)).toEqual([...Array(round).keys()]);
  expect(made.map(({ plan }) => plan)).toEqual(made.map(({ ordinal }) => `The plan of plan-${ordinal}`));
  const proposed = made.flatMap(({ candidate, revisions }) => [
    candidate?.commit,
    ...revisions.map((one) => one.commit),
  ]);
  const held = refs.map((ref) => ref.split(' ')[1]);
  for (const commit of proposed) expect(held).toContain(commit);
});

describeDatabases('a campaign whose proposals come back, killed again and again', (databases) => {
  test(`comes to the same end after ${KILLS} times SIGKILL, with more lanes too`, { timeout: 600_000 }, async () => {
    const { databaseUrl } = await databases.fresh();
    const workspace = await openWorkspace(databaseUrl === undefined ? {} : { CLADE_DATABASE_URL: databaseUrl });
    const folder = await workspace.campaign('rates', files(3));
    const rng = generatorFor({ seed: 20261201, island: 0, ordinal: 0, purpose: 'kills' });
    await killRuns(workspace, folder, KILLS, async (clade) => {
      // After the start, which takes longest, whatever it is doing.
      await clade.says(/dashboard /);
      await sleep(rng.below(900));
    });
    const where = { workspace: workspace.dir, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
    expect(await dumpCampaign(where, 'rates')).toEqual(undisturbed.dump);
    expect(await refsOf(workspace)).toEqual(undisturbed.refs);

    const hub = await openHub(join(workspace.dir, '.clade/hubs/rates.git'));
    await promisify(execFile)('git', ['--git-dir', hub.dir, 'gc', '--prune=now', '--quiet']);
    for (const { revisions } of undisturbed.dump.jobs) {
      for (const { commit, tree } of revisions) expect(await readCommit(hub, commit)).toMatchObject({ tree });
    }
  });
});

/** The commits that the hub holds, `ref commit`, by job and round. */
async function refsOf(workspace: Workspace): Promise<string[]> {
  const hub = await openHub(join(workspace.dir, '.clade/hubs/rates.git'));
  const refs = [...(await listRefs(hub, 'refs/clade/rates/'))].map((pair) => pair.join(' '));
  return refs.sort(new Intl.Collator('en', { numeric: true }).compare);
}
