import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView } from '../../src/daemon/index.ts';
import { installAcpAgent } from '../fixtures/acp-agent/install.ts';
import { git } from '../fixtures/awkward.ts';
import { startModelServer } from '../fixtures/model-server/server.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
const AGENT = installAcpAgent();

function campaign(
  workspace: Workspace,
  behaviour: string,
  more: { planner?: string; model?: string; rest?: string } = {},
): Promise<string> {
  return workspace.campaign('pack', {
    'target/pack.js': 'export const cooling = 0.95;\n',
    'target/secret.js': 'export const answer = 0.95;\n',
    'evaluate.sh': `#!/bin/sh
rate=$(sed -n 's/.*= \\(.*\\);/\\1/p' pack.js)
printf '{"status": "valid", "objectives": {"rate": %s}}' "$rate" > "$CLADE_RESULT"
`,
    'campaign.yaml': `target: {repository: ./target, edit: [pack.js]}
goal: cool more slowly
evaluator: {command: [./evaluate.sh], objectives: [{name: rate, direction: maximize}]}
agents:
  coder: {kind: acp, command: [${JSON.stringify(AGENT)}, ${behaviour}]${more.model ?? ''}}
${more.planner ?? ''}${more.rest ?? ''}budget: {jobs: 3}
`,
  });
}

test('an agent that speaks the protocol makes commits; what lies outside the edit scope is not permitted', async () => {
  const workspace = await openWorkspace();
  expectDone(await workspace.run('run', await campaign(workspace, 'outside')));
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  // Three agents at the same root made the same edit.
  expect(status).toMatchObject({ outcomes: { candidate: 1, duplicate: 2 }, best: { objectives: { rate: 0.97 } } });
  const winner = await workspace.ask<CandidateView>('show', 'pack:1', '--transcript');
  expect(winner).toMatchObject({ title: 'answers: no no yes', changedPaths: ['pack.js'] });
  expect(winner.transcript).toContain('not permitted: edit: edit secret.js (outside the edit scope: ');
  expect(winner.transcript).toContain('pack.js: edit: edit pack.js');
  const hub = join(workspace.dir, '.clade/hubs/pack.git');
  const shown = await git(hub, ['show', '--format=%s', '--name-only', winner.commit ?? '']);
  expect(shown).toBe('answers: no no yes\n\npack.js\n');
});

test('it plans as well: its last message is told to the coder', async () => {
  const workspace = await openWorkspace();
  const planner = `  planner: {kind: acp, command: [${JSON.stringify(AGENT)}, edit]}\n`;
  expectDone(await workspace.run('run', await campaign(workspace, 'brief', { planner })));
  const job = await workspace.ask<CandidateView>('show', 'pack:1', '--transcript');
  expect(job).toMatchObject({ outcome: 'no_change', plan: 'raised the cooling rate\n\nIt cools more slowly now.' });
  expect(job.transcript).toMatch(/^# Planner\n\n.*a planner changes nothing.*# Coder\n\n.*It cools more slowly now/s);
});

test('any agent is told of its model server, and what it used is in the ledger', async () => {
  await using server = await startModelServer(() => ({ kind: 'answer', text: '0.98' }));
  const workspace = await openWorkspace();
  const rest = `providers: {fake: {base_url: "${server.baseUrl}", api_key_env: null, prices: {scripted: {input: 1, output: 10}}}}\n`;
  expectDone(
    await workspace.run('run', await campaign(workspace, 'obey', { model: ', model: scripted, provider: fake', rest })),
  );
  const winner = await workspace.ask<CandidateView>('show', 'pack:1');
  expect(winner).toMatchObject({
    title: 'set it to 0.98',
    calls: { calls: 1, unpriced: 0, inputTokens: 1000, outputTokens: 50 },
  });
  expect(server.seen.map(({ body }) => body.model)).toEqual(['scripted', 'scripted', 'scripted']);
});
