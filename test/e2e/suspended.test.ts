import { execFile } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { EventView } from '../../src/daemon/index.ts';
import { listRefs, openHub } from '../../src/git/index.ts';
import { findExecutable } from '../../src/process/index.ts';
import { findCampaign, getJob, openStore } from '../../src/store/index.ts';
import { finished, shareDatabase } from '../support/cluster.ts';
import { describeServer } from '../support/databases.ts';
import { until, workspaces, writeFiles } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** A Git that, once a push is done, waits while it is told to. */
const slowPush = (git: string, marks: string): string => `#!/bin/sh
${git} "$@"
code=$?
case " $* " in *" push "*)
  touch ${marks}/pushed
  while test -e ${marks}/push-waits; do sleep 0.1; done
esac
exit $code
`;

/** Adds its job and its host to a file; waits while its host is told to. */
const AGENT = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
touch "$MARKS/$HOST-begins-$job"
while test -e "$MARKS/$HOST-waits"; do sleep 0.1; done
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
search: {schedule: {size: 1}}
budget: {jobs: 2}
sandbox: "off"
`,
};

describeServer('a worker that is suspended past its lease', (databases) => {
  it('loses its job to another; what it has to say of it when it wakes is refused', async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const shared = await shareDatabase(openWorkspace, databaseUrl);
    const MARKS = shared.dir;
    const leader = await shared.host({ MARKS, HOST: 'none' });
    await leader.campaign('lines', FILES);
    const hold = (host: string) => writeFile(join(MARKS, `${host}-waits`), '');
    const release = (host: string) => rm(join(MARKS, `${host}-waits`));
    const see = async (mark: RegExp): Promise<string> => {
      const found = await until(
        async () => (await readdir(MARKS)).filter((name) => mark.test(name)),
        (names) => names.length > 0,
      );
      return found[0] ?? '';
    };

    const git = await findExecutable('git', process.env.PATH ?? '', '/');
    await writeFiles(join(MARKS, 'bin'), { git: slowPush(git ?? '', MARKS) });
    const daemon = leader.start('daemon', '--no-work');
    await hold('push');
    const PATH = `${join(MARKS, 'bin')}:${process.env.PATH}`;
    const sleeper = (await shared.host({ MARKS, HOST: 'sleeper', PATH })).start('worker', '--slots', '1');
    // Its proposal is made and given to the hub; what is left to do is to say so to the database.
    await see(/^pushed/);
    const taken = Number((await see(/^sleeper-made/)).replace(/.*job-/, ''));
    sleeper.signal('SIGSTOP');
    await release('push');
    await hold('other');
    const other = (await shared.host({ MARKS, HOST: 'other' })).start('worker', '--slots', '1');
    // The same job, under another attempt, is under way when the sleeper wakes.
    await see(new RegExp(`^other-begins-job-${taken}$`));
    sleeper.signal('SIGCONT');
    await sleeper.says(/took this worker for dead/);
    await release('other');
    const status = await finished(leader, 'lines');
    expect(status).toMatchObject({ outcomes: { candidate: 2 }, budget: { planned: 2, settled: 2 } });
    const events = await leader.ask<EventView[]>('log', 'lines', '--limit', '500');
    expect(events.filter(({ kind }) => kind === 'fault')).toEqual([]);
    for (const clade of [sleeper, other, daemon]) clade.signal('SIGTERM');
    for (const clade of [sleeper, other, daemon]) expect((await clade.ended).code).toBe(0);

    const store = await openStore({ workspace: leader.dir, databaseUrl, label: 'a test' });
    try {
      const campaign = await findCampaign(store.db, 'lines');
      const { job, candidate } = await getJob(store.db, campaign?.id ?? 0, taken);
      expect(job.attempt).toBe(2);
      const hub = await openHub(join(shared.dir, 'hubs/lines.git'));
      expect([...(await listRefs(hub, 'refs/clade/lines/'))]).toContainEqual([
        `refs/clade/lines/${taken}`,
        candidate?.commit,
      ]);
      const { stdout } = await promisify(execFile)('git', ['-C', hub.dir, 'show', `${candidate?.commit}:pack.js`]);
      expect(stdout).toContain(`// job-${taken} by other\n`);
      expect(stdout).not.toContain('sleeper');
    } finally {
      await store.close();
    }
  }, 180_000);
});
