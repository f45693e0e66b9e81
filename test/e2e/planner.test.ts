import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView, EventView } from '../../src/daemon/index.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

const CODER = `#!/bin/sh
cat > /dev/null
ls; cat rate.dat
job=$(basename "$(dirname "$HOME")")
echo "1\${job##*-}" > rate.dat
`;

async function campaign(workspace: Workspace, planner: string, keys = ''): Promise<string> {
  return workspace.campaign('rates', {
    'target/rate.dat': '1\n',
    'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"rate": %s}}' "$(cat rate.dat)" > "$CLADE_RESULT"
`,
    'coder.sh': CODER,
    'planner.sh': `#!/bin/sh\ncat > asked.md\n${planner}`,
    'campaign.yaml': `target: {repository: ./target}
goal: a higher rate
evaluator: {command: [./evaluate.sh], objectives: [{name: rate, direction: maximize}], remeasure: {jump: 0}}
agents:
  planner: {kind: command, command: [./planner.sh]${keys}}
  coder: {kind: command, command: [./coder.sh]}
budget: {jobs: 2}
`,
  });
}

test('a planner’s plan is kept and told to the coder; whatever else it does is thrown away', async () => {
  const workspace = await openWorkspace();
  const planner = 'rm rate.dat; touch left-behind; echo "Turn it up to eleven."; grep -c "^# Plan" asked.md\n';
  expectDone(await workspace.run('run', await campaign(workspace, planner)));
  const job = await workspace.ask<CandidateView>('show', 'rates:1');
  expect(job).toMatchObject({ outcome: 'candidate', changedPaths: ['rate.dat'], plan: 'Turn it up to eleven.\n1' });
  expect(job.brief).toContain('Turn it up to eleven.');
  expect(job.transcript).toBe('# Planner\n\nTurn it up to eleven.\n1\n\n# Coder\n\nrate.dat\n1');
});

test('a planner that is too slow, or ends without a word, leaves the coder alone, and that is said', async () => {
  const workspace = await openWorkspace();
  expectDone(await workspace.run('run', await campaign(workspace, 'sleep 60\n', ', timeout: 1s')));
  const job = await workspace.ask<CandidateView>('show', 'rates:1');
  expect(job).toMatchObject({ outcome: 'candidate', plan: null });
  expect(job.transcript).toContain('planner.sh was ended after 1000 ms');
  const status = await workspace.ask<CampaignStatus>('status', 'rates');
  expect(status.outcomes).toMatchObject({ candidate: 2, failed: 0 });
  const failed = (await workspace.ask<EventView[]>('log', 'rates')).filter(({ kind }) => kind === 'planner.failed');
  // Two agents are at work: which is ended first is chance.
  failed.sort((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0));
  expect(failed.map(({ ordinal, data }) => [ordinal, JSON.stringify(data)])).toEqual([
    [1, expect.stringContaining('ended after 1000 ms')],
    [2, expect.stringContaining('ended after 1000 ms')],
  ]);
});
