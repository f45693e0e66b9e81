import { expect, it } from 'vitest';
import { findCampaign, getJob, openStore } from '../../src/store/index.ts';
import { shareDatabase } from '../support/cluster.ts';
import { describeServer } from '../support/databases.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

describeServer('a job that takes longer than any lease', (databases) => {
  it('is done once by a process that leads and works', { timeout: 120_000 }, async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const host = await (await shareDatabase(openWorkspace, databaseUrl)).host();
    const folder = await host.campaign('lines', {
      'target/pack.js': '// a line\n',
      'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": 1}}' > "$CLADE_RESULT"
`,
      'agent.sh': '#!/bin/sh\ncat > /dev/null\nsleep 16\necho "// more" >> pack.js\n',
      'campaign.yaml': `name: lines
target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 2, coder: {kind: command, command: [./agent.sh]}}
budget: {jobs: 1}
sandbox: "off"
`,
    });
    expectDone(await host.run('run', folder));
    const store = await openStore({ workspace: host.dir, databaseUrl, label: 'a test' });
    try {
      const campaign = await findCampaign(store.db, 'lines');
      expect((await getJob(store.db, campaign?.id ?? 0, 1)).job.attempt).toBe(1);
    } finally {
      await store.close();
    }
  });
});
