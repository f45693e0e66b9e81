import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { listRefs, openHub } from '../../src/git/index.ts';
import { findCampaign, getJob, openStore } from '../../src/store/index.ts';
import { finished, LEASE_SECONDS, shareDatabase } from '../support/cluster.ts';
import { openNetwork } from '../support/netns.ts';
import { startCluster } from '../support/postgres.ts';
import { describeIf } from '../support/requirements.ts';
import { until, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** Adds its job and its host to a file, and says so when it is done; waits while its host is told to, the near one in the second batch alone. */
const AGENT = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
touch "$MARKS/$HOST-begins-$job"
while test -e "$MARKS/$HOST-waits" && { test "$HOST" = far || test "\${job#job-}" -gt 4; }; do sleep 0.1; done
echo "// $job by $HOST" >> pack.js
touch "$MARKS/$HOST-made-$job"
`;
const FILES = {
  'target/pack.js': '// a line\n',
  'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(wc -l < pack.js)" > "$CLADE_RESULT"
`,
  'agent.sh': AGENT,
  'campaign.yaml': `name: lines
target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 1, coder: {kind: command, command: [./agent.sh], env: [MARKS, HOST]}}
search: {schedule: {size: 4}}
budget: {jobs: 8}
sandbox: "off"
`,
};

await describeIf('namespaces', 'a worker that is cut off in mid-job', () => {
  test('loses its job to another, is refused when it comes back, and goes on', { timeout: 120_000 }, async () => {
    const network = await openNetwork();
    const database = await startCluster(network.address);
    if (database === undefined) throw new Error('needs a PostgreSQL server');
    onTestFinished(() => database.stop());
    const shared = await shareDatabase(openWorkspace, database.url);
    const MARKS = shared.dir;
    const [near, far] = [await network.host(), await network.host()];
    const leader = await shared.host({ MARKS, HOST: 'none' });
    await leader.campaign('lines', FILES);
    const hold = (host: string) => writeFile(join(MARKS, `${host}-waits`), '');
    const release = (host: string) => rm(join(MARKS, `${host}-waits`));
    const seen = async (mark: RegExp) =>
      (await promisify(execFile)('ls', [MARKS])).stdout.split('\n').filter((name) => mark.test(name));
    const see = (mark: RegExp) =>
      until(
        () => seen(mark),
        (found) => found.length > 0,
      );

    const daemon = leader.start('daemon', '--no-work');
    await hold('far');
    await hold('near');
    const cut = (await shared.host({ MARKS, HOST: 'far' }, far.within)).start('worker', '--slots', '1');
    const [begun = ''] = await see(/^far-begins/);
    const taken = Number(begun.replace(/.*job-/, ''));
    await far.cut();
    const since = performance.now();
    const other = (await shared.host({ MARKS, HOST: 'near' }, near.within)).start('worker', '--slots', '1');
    // The others cannot do without it: the batch is settled in order.
    await see(new RegExp(`^near-made-job-${taken}$`));
    console.log(`taken over ${Math.round(performance.now() - since)} ms after the cut, lease ${LEASE_SECONDS} s`);
    await release('far');
    await see(/^far-made/);
    await far.mend();
    await cut.says(/took this worker for dead/);
    await see(/^near-begins-job-[5-8]$/);
    await see(/^far-made-job-[5-8]$/);
    await release('near');
    const status = await finished(leader, 'lines');
    expect(status).toMatchObject({ outcomes: { candidate: 8 }, budget: { settled: 8 } });
    for (const clade of [cut, other, daemon]) clade.signal('SIGTERM');
    for (const clade of [cut, other, daemon]) expect((await clade.ended).code).toBe(0);

    const hub = await openHub(join(shared.dir, 'hubs/lines.git'));
    await promisify(execFile)('git', ['-C', hub.dir, 'gc', '--quiet', '--prune=now']);
    const store = await openStore({ workspace: leader.dir, databaseUrl: database.url, label: 'a test' });
    try {
      const campaign = await findCampaign(store.db, 'lines');
      const refs = await listRefs(hub, 'refs/clade/lines/');
      const makers: string[] = [];
      for (let ordinal = 1; ordinal <= 8; ordinal += 1) {
        const { job, candidate } = await getJob(store.db, campaign?.id ?? 0, ordinal);
        expect([...refs]).toContainEqual([`refs/clade/lines/${ordinal}`, candidate?.commit]);
        const { stdout } = await promisify(execFile)('git', ['-C', hub.dir, 'show', `${candidate?.commit}:pack.js`]);
        makers.push(stdout.includes(`// job-${ordinal} by near`) ? 'near' : 'far');
        if (ordinal === taken) expect(job.attempt).toBe(2);
      }
      expect(makers[taken - 1]).toBe('near');
      expect(makers.slice(4)).toContain('far');
    } finally {
      await store.close();
    }
  });
});
