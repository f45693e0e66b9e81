import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView } from '../../src/daemon/index.ts';
import { type ModelServer, type Seen, startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const KEY = 'sk-not-to-be-seen';
const openWorkspace = workspaces();

/** Every proposal raises the rate by what no other has: the first answer edits, the second is done. */
function raising() {
  let made = 0;
  return ({ body }: Seen): Step => {
    const told = JSON.stringify(body.messages);
    if (told.includes('replaced in pack.js')) {
      return { kind: 'answer', text: null, tools: [{ name: 'finish', input: { title: `Raise ${made}` } }] };
    }
    made += 1;
    const edit = { path: 'pack.js', old: '// end', new: `// ${made}\n// end` };
    return { kind: 'answer', text: null, tools: [{ name: 'replace', input: edit }] };
  };
}

async function campaign(workspace: Workspace, server: ModelServer, budget: string): Promise<string> {
  return workspace.campaign('pack', {
    'target/pack.js': 'export const rate = 1;\n// end\n',
    'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(wc -l < pack.js)" > "$CLADE_RESULT"
`,
    'campaign.yaml': `target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 2, coder: {kind: openai, provider: fake, model: scripted, output_tokens: 100}}
providers: {fake: {base_url: "${server.baseUrl}", api_key_env: FAKE_KEY, prices: {scripted: {input: 1, output: 10}}}}
search: {schedule: {size: 2}}
budget: ${budget}
`,
  });
}

test('a model behind the gateway runs a campaign; what it used is in the ledger, the key is nowhere', async () => {
  await using server = await startModelServer(raising());
  const workspace = await openWorkspace({ FAKE_KEY: KEY });
  expectDone(await workspace.run('run', await campaign(workspace, server, '{jobs: 4}')));
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(status.outcomes).toMatchObject({ candidate: 4 });
  // Two calls a job of 1,000 tokens in and 50 out, at 1 and 10 USD for a million; nothing of it is cached at its own price.
  expect(status.calls).toMatchObject({ calls: 8, inputTokens: 8_000, outputTokens: 400, unpriced: 0 });
  expect(status.calls.costUsd).toBeCloseTo(8 * (1_000 * 1 + 50 * 10) * 1e-6, 10);
  const first = await workspace.ask<CandidateView>('show', 'pack:1', '--transcript');
  expect(first).toMatchObject({ coder: 'openai', calls: { calls: 2 }, title: expect.stringMatching(/^Raise \d$/) });
  expect(server.seen.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);

  const folder = join(workspace.dir, '.clade/calls/pack');
  const recordings = await readdir(folder);
  expect(recordings).toHaveLength(8);
  for (const name of recordings) {
    const text = gunzipSync(await readFile(join(folder, name))).toString();
    expect(text).toContain('more lines');
    expect(text).not.toContain(KEY);
  }
  expect(JSON.stringify(first)).not.toContain(KEY);
});

test('the budget of money ends the campaign by its name, with what was begun kept', async () => {
  await using server = await startModelServer(raising());
  const workspace = await openWorkspace({ FAKE_KEY: KEY });
  expectDone(await workspace.run('run', await campaign(workspace, server, '{jobs: 40, cost_usd: 0.012}')));
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(status).toMatchObject({ state: 'finished', cause: expect.stringContaining('budget') });
  expect(status.calls.costUsd).toBeLessThanOrEqual(0.012);
  expect(status.budget.settled).toBe(status.budget.planned);
  expect(status.budget.settled).toBeLessThan(40);
  expect(status.outcomes.candidate).toBeGreaterThan(0);
});

test('a quota that is used up pauses the campaign and burns no job; it goes on when there is quota', async () => {
  const answer = raising();
  let rich = false;
  const error = { code: 'insufficient_quota', message: 'you are out of credit' };
  await using server = await startModelServer((seen) => (rich ? answer(seen) : { kind: 'status', status: 429, error }));
  const workspace = await openWorkspace({ FAKE_KEY: KEY });
  const folder = await campaign(workspace, server, '{jobs: 2}');
  await workspace.run('run', folder);
  const paused = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(paused).toMatchObject({ state: 'paused', cause: expect.stringContaining('out of credit') });
  expect(paused.budget.settled).toBe(0);
  rich = true;
  expectDone(await workspace.run('run', folder));
  expect(await workspace.ask<CampaignStatus>('status', 'pack')).toMatchObject({
    state: 'finished',
    outcomes: { candidate: 2, failed: 0 },
  });
});

test('an embedding server is one more model: paid for, limited, and in the ledger without its vectors', async () => {
  let limited = 0;
  const answer = raising();
  await using server = await startModelServer((seen) => {
    if (!seen.path.endsWith('/embeddings')) return answer(seen);
    limited += 1;
    if (limited === 1) return { kind: 'status', status: 429, headers: { 'retry-after': '1' } };
    return { kind: 'answer', usage: { input: 700, output: 0 } };
  });
  const workspace = await openWorkspace({ FAKE_KEY: KEY, EMBED_KEY: 'sk-for-embedding' });
  const folder = await campaign(workspace, server, '{jobs: 2}');
  const file = join(folder, 'campaign.yaml');
  const provider = `{kind: openai, model: text-embedding-3-small, dimensions: 8, base_url: "${server.baseUrl}", api_key_env: EMBED_KEY}`;
  const text = (await readFile(file, 'utf8')).replace(
    'search: {schedule: {size: 2}}',
    `search: {schedule: {size: 2}, descriptor: {kind: displacement, provider: ${provider}}}`,
  );
  await writeFile(file, text);
  expectDone(await workspace.run('run', folder));
  const asked = server.seen.filter(({ path }) => path.endsWith('/embeddings'));
  expect(asked.every(({ headers }) => headers.authorization === 'Bearer sk-for-embedding')).toBe(true);
  const { calls } = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(calls.calls).toBe(4 + asked.length - 1);
  expect(calls.unpriced).toBe(0);
  const texts = await Promise.all(
    (await readdir(join(workspace.dir, '.clade/calls/pack'))).map(async (name) =>
      gunzipSync(await readFile(join(workspace.dir, '.clade/calls/pack', name))).toString(),
    ),
  );
  expect(texts.filter((one) => JSON.parse(one).response === null)).toHaveLength(asked.length - 1);
  expect(texts.join()).not.toContain('sk-for-embedding');
});
