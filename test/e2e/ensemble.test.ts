import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView, EventView, Explanation } from '../../src/daemon/index.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** One coder adds a line, which is what is measured; the other adds one to a file that nobody looks at. */
async function campaign(workspace: Workspace, agents: string, jobs = 24): Promise<string> {
  return workspace.campaign('lines', {
    'target/pack.js': '// a line\n',
    'target/notes.txt': 'notes\n',
    'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(wc -l < pack.js)" > "$CLADE_RESULT"
`,
    'good.sh': '#!/bin/sh\ncat > /dev/null\njob=$(basename "$(dirname "$HOME")")\necho "// $job" >> pack.js\n',
    'idle.sh': '#!/bin/sh\ncat > /dev/null\njob=$(basename "$(dirname "$HOME")")\necho "$job" >> notes.txt\n',
    'campaign.yaml': `target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents:
  concurrency: 2
  ensemble:
    - {name: idle, coder: {kind: command, command: [./idle.sh]}}
    - {name: good, coder: {kind: command, command: [./good.sh]}}
  ${agents}
search: {schedule: {size: 4}, policy: sequential-champion}
budget: {jobs: ${jobs}}
sandbox: "off"
`,
  });
}

const askedOf = async (workspace: Workspace): Promise<string[]> => {
  const events = await workspace.ask<EventView[]>('log', 'lines', '--limit', '1000');
  const planned = events
    .filter(({ kind }) => kind === 'job.planned')
    .sort((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0));
  return planned.map(({ data }) => (data as { coder: { coder: string } }).coder.coder);
};

test('the bandit learns whom to ask; a kill in the middle of a batch does not change whom it asks', async () => {
  const [whole, halved] = [await openWorkspace(), await openWorkspace()];
  expectDone(await whole.run('run', await campaign(whole, 'choose: bandit')));
  const asked = await askedOf(whole);
  expect(asked.slice(0, 4).toSorted()).toEqual(['good', 'good', 'idle', 'idle']);
  expect(asked.filter((name) => name === 'good').length).toBeGreaterThan(14);
  const status = await whole.ask<CampaignStatus>('status', 'lines');
  expect(status.coders).toMatchObject([{ name: 'idle', mean: 0 }, { name: 'good' }]);
  expect(status.coders[1]?.mean).toBeGreaterThan(0.1);
  const ordinal = asked.indexOf('good') + 1;
  expect(await whole.ask<CandidateView>('show', `lines:${ordinal}`)).toMatchObject({ coder: 'good' });
  expect((await whole.ask<Explanation>('explain', `lines:${ordinal}`)).coder.because.join()).toContain('twice');

  const folder = await campaign(halved, 'choose: bandit');
  const run = halved.start('run', folder);
  await run.says(/^\[10\/24\]/m);
  run.signal('SIGKILL');
  expect((await run.ended).code).toBeNull();
  expectDone(await halved.run('run', folder));
  expect(await askedOf(halved)).toEqual(asked);
});

test('weights decide by the seed alone', async () => {
  const workspace = await openWorkspace();
  const folder = await campaign(workspace, 'choose: weights', 8);
  expectDone(await workspace.run('run', folder));
  const asked = await askedOf(workspace);
  expect(new Set(asked)).toEqual(new Set(['good', 'idle']));
  expect((await workspace.ask<Explanation>('explain', 'lines:1')).coder).toMatchObject({
    name: asked[0],
    because: [expect.stringContaining('50 %')],
  });
});
