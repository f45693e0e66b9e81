import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView } from '../../src/daemon/index.ts';
import { git } from '../fixtures/awkward.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
const AGENT = join(import.meta.dirname, '../fixtures/agents/edit.sh');

test('a program that edits files is an agent', async () => {
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
agents: {coder: {kind: command, command: [${JSON.stringify(AGENT)}]}}
budget: {jobs: 3}
`,
  });
  expectDone(await workspace.run('run', folder));
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  // Three agents at the same root made the same edit.
  expect(status).toMatchObject({ outcomes: { candidate: 1, duplicate: 2 }, best: { objectives: { rate: 0.99 } } });

  const winner = await workspace.ask<CandidateView>('show', 'pack:1', '--brief', '--transcript');
  expect(winner).toMatchObject({ title: 'edit.sh: raised the cooling rate', changedPaths: ['pack.js'] });
  expect(winner.brief).toContain('cool more slowly');
  expect(winner.transcript).toContain('thinking');
  const hub = join(workspace.dir, '.clade/hubs/pack.git');
  expect(await git(hub, ['log', '-1', '--format=%(trailers:only)', winner.commit ?? ''])).toBe(
    'Clade-Campaign: pack\nClade-Job: 1\nClade-Base: 0\n\n',
  );
});
