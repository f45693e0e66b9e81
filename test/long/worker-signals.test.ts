import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { JobView } from '../../src/daemon/index.ts';
import { findMarked, workspaceMark } from '../../src/process/index.ts';
import { finished, shareDatabase } from '../support/cluster.ts';
import { describeServer } from '../support/databases.ts';
import { until, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

const FILES = (agent: string) => ({
  'target/pack.js': '// a line\n',
  'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": 1}}' > "$CLADE_RESULT"
`,
  'agent.sh': agent,
  'campaign.yaml': `name: lines
target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 1, coder: {kind: command, command: [./agent.sh], env: [WAITS]}}
budget: {jobs: 1}
sandbox: "off"
`,
});
const WAITING_AGENT =
  '#!/bin/sh\ncat > /dev/null\nwhile test -e "$WAITS"; do sleep 0.1; done\necho "// more" >> pack.js\n';

describeServer('signals to a worker', (databases) => {
  it('the first lets its job end, the second gives it back to others', { timeout: 120_000 }, async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const shared = await shareDatabase(openWorkspace, databaseUrl);
    const leader = await shared.host();
    const waits = join(shared.dir, 'waits');
    await writeFile(waits, '');
    await leader.campaign('lines', FILES(WAITING_AGENT));
    const states = async () => (await leader.ask<JobView[]>('jobs', 'lines')).map(({ state }) => state);
    const daemon = leader.start('daemon', '--no-work');
    await daemon.says(/"serving lines"/);
    const worker = (await shared.host({ WAITS: waits })).start('worker', '--slots', '1');
    await worker.says(/works on lines/);
    await until(states, (all) => all.includes('generating'));
    worker.signal('SIGTERM');
    await worker.says(/finishing the jobs in flight/);
    expect(await Promise.race([worker.ended, sleep(1_000, 'at work')])).toBe('at work');
    worker.signal('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(await until(states, (all) => !all.includes('generating'))).toContain('queued');
    daemon.signal('SIGTERM');
    expect((await daemon.ended).code).toBe(0);
  });

  it('the third does not wait for what ignores the second, and the job is done by the next', {
    timeout: 120_000,
  }, async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const shared = await shareDatabase(openWorkspace, databaseUrl);
    const leader = await shared.host();
    const waits = join(shared.dir, 'waits');
    await writeFile(waits, '');
    // TERM is ignored, so that an interruption takes the whole grace.
    await leader.campaign('lines', FILES(WAITING_AGENT.replace('cat >', "trap '' TERM\ncat >")));
    const jobs = () => leader.ask<JobView[]>('jobs', 'lines');
    const daemon = leader.start('daemon', '--no-work');
    await daemon.says(/"serving lines"/);
    const host = await shared.host({ WAITS: waits });
    const worker = host.start('worker', '--slots', '1');
    // The campaign is there when somebody works on it.
    await worker.says(/works on lines/);
    await until(jobs, (all) => all.some(({ state }) => state === 'generating'));
    worker.signal('SIGTERM');
    await worker.says(/finishing the jobs in flight/);
    worker.signal('SIGTERM');
    await worker.says(/interrupting/);
    worker.signal('SIGTERM');
    expect((await worker.ended).code).toBe(130);
    await until(
      async () => findMarked(workspaceMark(host.dir)),
      (left) => left.length === 0,
    );
    await rm(waits);
    const next = host.start('worker', '--slots', '1');
    expect(await finished(leader, 'lines')).toMatchObject({ outcomes: { candidate: 1, failed: 0 } });
    for (const clade of [next, daemon]) clade.signal('SIGTERM');
    for (const clade of [next, daemon]) expect((await clade.ended).code).toBe(0);
  });
});
