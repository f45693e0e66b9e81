import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView } from '../../src/daemon/index.ts';
import { startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
const BIN = join(import.meta.dirname, 'node_modules/.bin');
const EDIT = "sed -i 's/0.95/0.97/' pack.js";

/** One edit by the agent's own tool for shell commands, then a word. */
function script(tool: string, input: (command: string) => object) {
  return ({ body, path }: { body: Record<string, unknown>; path: string }): Step => {
    const offered = JSON.stringify(body.tools ?? []);
    const told = JSON.stringify(path.endsWith('/responses') ? body.input : body.messages);
    if (!offered.includes(`"${tool}"`)) return { kind: 'answer', text: 'A title' };
    const done = told.includes('call_0');
    return done
      ? { kind: 'answer', text: 'Cool more slowly' }
      : { kind: 'answer', text: null, tools: [{ name: tool, input: input(EDIT) }] };
  };
}

const AGENTS = [
  { preset: 'codex', script: script('exec_command', (cmd) => ({ cmd })) },
  { preset: 'opencode', script: script('bash', (command) => ({ command, description: 'edit' })) },
] as const;

test.each(AGENTS)('$preset edits, and what it used is in the ledger', async ({ preset, script: answers }) => {
  expect(existsSync(join(BIN, preset)), `npm run test:agents installs ${preset}`).toBe(true);
  await using server = await startModelServer(answers);
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('pack', {
    'target/pack.js': 'export const cooling = 0.95;\n',
    'evaluate.sh': `#!/bin/sh
rate=$(sed -n 's/.*= \\(.*\\);/\\1/p' pack.js)
printf '{"status": "valid", "objectives": {"rate": %s}}' "$rate" > "$CLADE_RESULT"
`,
    'campaign.yaml': `target: {repository: ./target}
goal: cool more slowly
evaluator: {command: [./evaluate.sh], objectives: [{name: rate, direction: maximize}]}
agents:
  concurrency: 1
  coder: {kind: command, preset: ${preset}, command: [${join(BIN, preset)}], model: scripted, provider: fake, timeout: 2m}
providers: {fake: {base_url: "${server.baseUrl}", api_key_env: null, prices: {scripted: {input: 1, output: 10}}}}
search: {schedule: {size: 1}}
budget: {jobs: 1}
`,
  });
  expectDone(await workspace.run('run', folder));
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(status).toMatchObject({ outcomes: { candidate: 1 }, best: { objectives: { rate: 0.97 } } });
  const winner = await workspace.ask<CandidateView>('show', 'pack:1', '--transcript');
  expect(winner.transcript).toContain('Cool more slowly');
  expect(server.seen.length).toBeGreaterThanOrEqual(2);
  expect(winner.calls).toMatchObject({
    calls: server.seen.length,
    unpriced: 0,
    inputTokens: 1000 * server.seen.length,
    outputTokens: 50 * server.seen.length,
  });
});
