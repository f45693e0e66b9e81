import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { CampaignStatus, CandidateView, JobView } from '../../src/daemon/index.ts';
import { type ModelServer, type Seen, startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';
import { dumpCampaign } from './dump.ts';

const openWorkspace = workspaces();
const NOBODY = 'http://127.0.0.1:9/v1';
const LINES = 'export const rates = [\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n];\n';

/** Raises one of the rates, each time another one; now and then it says that there is nothing to do, or that it will not. */
function raising() {
  let asked = 0;
  return ({ body }: Seen): Step => {
    const told = JSON.stringify(body.messages);
    const done = { name: 'finish', input: { title: `Raise ${asked}`, summary: 'A “higher” rate.' } };
    if (told.includes('replaced in')) return { kind: 'answer', text: null, tools: [done] };
    asked += 1;
    if (asked % 7 === 3) return { kind: 'answer', text: null, tools: [done] };
    if (asked % 7 === 5) return { kind: 'answer', refusal: 'I will not' };
    const rate = 1 + (asked % 8);
    const edit = { path: 'pack.js', old: `  ${rate}`, new: `  1${rate}` };
    return { kind: 'answer', text: null, tools: [{ name: 'replace', input: edit }] };
  };
}

/** The sum of the rates, or what else is to be measured. */
const EVALUATOR = `#!/bin/sh
printf '{"status": "valid", "objectives": {"sum": %s}}' "$(tr -cd '0-9,' < pack.js | tr , '\\n' | awk '{s += $1 SIGN} END {print s}')" > "$CLADE_RESULT"
`;

interface How {
  readonly coder: string;
  readonly sign?: string;
  readonly jobs?: number;
}

async function campaign(workspace: Workspace, { coder, sign = '', jobs = 16 }: How): Promise<string> {
  return workspace.campaign('pack', {
    'target/pack.js': LINES,
    'target/README.md': 'Rates.\n',
    'evaluate.sh': EVALUATOR.replace('SIGN', sign),
    'campaign.yaml': `target: {repository: ./target, edit: [pack.js]}
goal: higher rates
evaluator: {command: [./evaluate.sh], objectives: [{name: sum, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 2, coder: ${coder}}
providers: {fake: {base_url: "${NOBODY}", api_key_env: FAKE_KEY}}
search: {schedule: {size: 2}, warmup: 4, projection: {dimensions: 1, refit: 4}}
budget: {jobs: ${jobs}}
`,
  });
}

/** All that it came to, without who made it and what that cost, and what an agent that changed nothing had to say of it. */
async function outcome({ dir }: Workspace) {
  const { jobs, ...dump } = await dumpCampaign({ workspace: dir }, 'pack');
  return {
    ...dump,
    jobs: jobs.map(({ coder: _c, usage: _u, title, summary, ...job }) => ({
      ...job,
      ...(job.candidate === undefined ? {} : { title, summary }),
    })),
  };
}

let server: ModelServer;
/** A campaign whose coder is a model, run to its end: what it came to, and its recording. */
let recorded: { readonly outcome: Awaited<ReturnType<typeof outcome>>; readonly recording: string };

beforeAll(async () => {
  server = await startModelServer(raising());
  const workspace = await openWorkspace({ FAKE_KEY: 'sk-x' });
  const folder = await campaign(workspace, { coder: '{kind: openai, provider: fake, model: scripted}' });
  const file = join(folder, 'campaign.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace(NOBODY, server.baseUrl));
  expectDone(await workspace.run('run', folder));
  const recording = await mkdtemp(join(tmpdir(), 'clade-recording-'));
  const said = await workspace.ask<object>('export', 'pack', '--recording', '--output', recording);
  expect(said).toMatchObject({ proposals: 16, coders: [{ name: 'openai', kind: 'openai', model: 'scripted' }] });
  recorded = { outcome: await outcome(workspace), recording };
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(recorded.recording, { recursive: true });
});

test('a campaign is replayed without its models: the same commits, archive and winner', async () => {
  const { candidate, no_change, failed } = recorded.outcome.outcomes;
  expect(Math.min(candidate, no_change, failed)).toBeGreaterThan(0);
  expect(recorded.outcome.best?.ordinal).toBeGreaterThan(0);
  const asked = server.seen.length;

  const workspace = await openWorkspace();
  const folder = await campaign(workspace, { coder: `{kind: replay, from: ${recorded.recording}}` });
  expect(await workspace.run('check', folder, '--no-measure')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('replay of 16 proposals of pack by openai'),
  });
  expectDone(await workspace.run('run', folder));
  expect(await outcome(workspace)).toEqual(recorded.outcome);
  expect(server.seen).toHaveLength(asked);
  expect((await workspace.ask<CampaignStatus>('status', 'pack')).calls.calls).toBe(0);
});

test('another evaluator leads to other bases: what fits is replayed, the rest fails with its reason', async () => {
  const workspace = await openWorkspace();
  const coder = `{kind: replay, from: ${recorded.recording}}`;
  expectDone(await workspace.run('run', await campaign(workspace, { coder, sign: '* -1', jobs: 18 })));
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(status).toMatchObject({ state: 'finished', budget: { settled: 18 } });
  const jobs = await workspace.ask<JobView[]>('jobs', 'pack');
  const reasons = (pattern: RegExp) => jobs.filter(({ reason }) => pattern.test(reason ?? '')).length;
  expect(status.outcomes.candidate).toBeGreaterThan(4);
  expect(reasons(/^the recorded change does not fit this base: pack\.js: /)).toBeGreaterThan(0);
  expect(reasons(/which ends at job 16, has no proposal for job 1[78]$/)).toBe(2);
});

/** Breaks the build first; told of it, it mends that, but for job 2, which has nothing more to say. */
const REWORKER = `#!/bin/sh
brief=$(cat)
job=$(basename "$(dirname "$HOME")"); job=\${job##*-}
case $brief in *'# Once more'*) [ $job = 2 ] || echo "// mended by $job" >> pack.js;; *) echo "// broken by $job" >> pack.js;; esac
`;
const BUILDER = `#!/bin/sh
lines=$(wc -l < pack.js)
if grep -q broken pack.js && ! grep -q mended pack.js; then
  printf '{"status": "invalid", "kind": "build", "summary": "it is broken"}' > "$CLADE_RESULT"
else
  printf '{"status": "valid", "objectives": {"lines": %d}}' $lines > "$CLADE_RESULT"
fi
`;

test('proposals that came back are replayed round by round', async () => {
  const recording = await mkdtemp(join(tmpdir(), 'clade-recording-'));
  onTestFinished(() => rm(recording, { recursive: true }));
  const reworked = async (coder: string): Promise<[Workspace, CandidateView[]]> => {
    const workspace = await openWorkspace();
    const folder = await workspace.campaign('pack', {
      'target/pack.js': LINES,
      'agent.sh': REWORKER,
      'evaluate.sh': BUILDER,
      'campaign.yaml': `target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {coder: ${coder}, rework: 1}
search: {policy: independent-root, schedule: {size: 2}}
budget: {jobs: 3}
`,
    });
    expectDone(await workspace.run('run', folder));
    const jobs: CandidateView[] = [];
    for (const job of [1, 2, 3]) jobs.push(await workspace.ask<CandidateView>('show', `pack:${job}`));
    return [workspace, jobs];
  };
  const commitsOf = (jobs: CandidateView[]) =>
    jobs.map(({ commit, outcome, round, revisions }) => [
      outcome,
      round,
      commit,
      ...revisions.map((one) => one.commit),
    ]);

  const [workspace, jobs] = await reworked('{kind: command, command: [./agent.sh]}');
  expect(jobs.map(({ outcome, round }) => [outcome, round])).toEqual([
    ['candidate', 1],
    ['invalid', 1],
    ['candidate', 1],
  ]);
  const said = await workspace.ask<object>('export', 'pack', '--recording', '--output', recording);
  expect(said).toMatchObject({ proposals: 6 });
  const [, again] = await reworked(`{kind: replay, from: ${recording}}`);
  expect(commitsOf(again)).toEqual(commitsOf(jobs));
});

test('a recording of another root is refused before the first job', async () => {
  const workspace = await openWorkspace();
  const folder = await campaign(workspace, { coder: `{kind: replay, from: ${recorded.recording}}` });
  await writeFile(join(folder, 'target/README.md'), 'another\n');
  const refused = /begins at another root/;
  expect(await workspace.run('run', folder)).toMatchObject({ code: 2, stderr: expect.stringMatching(refused) });
  expect(await workspace.run('check', folder, '--no-measure')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(refused),
  });
});
