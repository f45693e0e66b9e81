import { expect, test } from 'vitest';
import type { EventView } from '../../src/daemon/index.ts';
import { inbox } from '../support/receiver.ts';
import { type Clade, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** Every job adds a line, so every job is the best. */
const files = (notify: string) => ({
  'target/pack.js': '// a line\n',
  'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(wc -l < pack.js)" > "$CLADE_RESULT"
`,
  'agent.sh': `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
for i in $(seq "\${job#job-}"); do echo "// $job" >> pack.js; done
`,
  'campaign.yaml': `name: lines
target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 1, coder: {kind: command, command: [./agent.sh]}}
search: {schedule: {size: 1}}
budget: {jobs: 3}
sandbox: "off"
notify: ${notify}
`,
});

test('what a receiver took before a SIGKILL is told again, and nothing is left out', async () => {
  let running: Clade | null = null;
  // Kills the process that waits for its answer, at the second message.
  const one = await inbox((nth) => {
    if (nth === 2) running?.press('SIGKILL');
    return 200;
  });
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('lines', files(`[{url: "${one.url}"}]`));
  running = workspace.start('run', folder);
  expect((await running.ended).code).toBeNull();
  expect((await workspace.run('run', folder)).code).toBe(0);
  const log = await workspace.ask<EventView[]>('log', 'lines', '--limit', '1000');
  const due = log.filter(({ kind }) => kind === 'campaign.best' || kind === 'campaign.finished').map(({ id }) => id);
  const told = one.all.map(({ event }) => event ?? 0);
  expect([...new Set(told)]).toEqual(due);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.length).toBeGreaterThan(due.length);
}, 120_000);
