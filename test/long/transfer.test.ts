import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dumpCampaign } from '../e2e/dump.ts';
import { describeServer } from '../support/databases.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

const FILES = {
  'target/pack.js': '// a line\n',
  'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"zeta": %s, "a": 3}}' "$(wc -l < pack.js)" > "$CLADE_RESULT"
echo hello > "$CLADE_ARTIFACTS/note.txt"
`,
  'agent.sh': `#!/bin/sh
cat > /dev/null
echo "// $(basename "$(dirname "$HOME")")" >> pack.js
`,
  'campaign.yaml': `name: lines
target: {repository: ./target}
goal: more lines
evaluator:
  command: [./evaluate.sh]
  objectives: [{name: zeta, direction: maximize, epsilon: 0.5}, {name: a, direction: maximize, epsilon: 0.5}]
agents: {concurrency: 2, coder: {kind: command, command: [./agent.sh]}}
search: {schedule: {size: 2}, warmup: 2, projection: {dimensions: 1, refit: 2}}
budget: {jobs: 6}
sandbox: "off"
`,
};

/** Where the same campaign folder is, and nothing else. */
async function elsewhere(from: Workspace, env: Readonly<Record<string, string>>): Promise<Workspace> {
  const made = await openWorkspace(env);
  await cp(join(from.dir, 'campaigns'), join(made.dir, 'campaigns'), { recursive: true });
  return made;
}

describeServer('a whole campaign as files', (databases) => {
  it('goes from the embedded database to a server and back in the middle of its work, and ends as without', async () => {
    const { databaseUrl = '' } = await databases.fresh();
    const one = await openWorkspace();
    await one.campaign('lines', FILES);
    const running = one.start('run', 'campaigns/lines');
    await running.says(/(^|\n).*\b3\b.*candidate/);
    running.press('SIGKILL');
    await running.ended;
    const exported = join(one.dir, 'out');
    expect(await one.ask('export', 'lines', '-o', exported)).toMatchObject({ campaign: 'lines', folder: 'out' });

    const two = await elsewhere(one, { CLADE_DATABASE_URL: databaseUrl });
    await two.ask('import', exported);
    const server = { workspace: two.dir, databaseUrl };
    expect(await dumpCampaign(server, 'lines')).toEqual(await dumpCampaign({ workspace: one.dir }, 'lines'));
    expectDone(await two.run('run', 'campaigns/lines'));
    const again = join(two.dir, 'out');
    await two.ask('export', 'lines', '-o', again);

    const three = await elsewhere(one, {});
    await three.ask('import', again);
    expectDone(await one.run('run', 'campaigns/lines'));
    const whole = await dumpCampaign({ workspace: one.dir }, 'lines');
    expect(whole.charged).toEqual({ planned: 6, settled: 6 });
    expect(await dumpCampaign(server, 'lines')).toEqual(whole);
    expect(await dumpCampaign({ workspace: three.dir }, 'lines')).toEqual(whole);
    const { artifacts } = await three.ask<{ artifacts: unknown[] }>('show', 'lines:6');
    expect(artifacts).toHaveLength(1);
    expect((await three.run('patch', 'lines')).code).toBe(0);
  }, 180_000);

  it('is refused where it is known, when a file was changed, and when it is of a newer version', async () => {
    const one = await openWorkspace();
    await one.campaign('lines', FILES);
    expectDone(await one.run('run', 'campaigns/lines', '--jobs', '1'));
    await one.ask('export', 'lines');
    const folder = join(one.dir, 'lines-export');
    const refusal = async (workspace: Workspace) => {
      const { code, stderr } = await workspace.run('import', folder);
      return `${code} ${stderr}`;
    };
    expect(await refusal(one)).toMatch(/^1 .*there is a campaign "lines" in this workspace already/);
    const two = await openWorkspace();
    const manifest = await readFile(join(folder, 'manifest.json'), 'utf8');
    await writeFile(join(folder, 'manifest.json'), manifest.replace('"format": 1', '"format": 2'));
    expect(await refusal(two)).toMatch(/^1 .*upgrade Clade/);
    await writeFile(join(folder, 'manifest.json'), manifest.replace('0002_workers', '9999_later'));
    expect(await refusal(two)).toMatch(/^1 .*migration 9999_later: upgrade Clade/);
    await writeFile(join(folder, 'manifest.json'), manifest);
    const jobs = await readFile(join(folder, 'jobs.ndjson'), 'utf8');
    await writeFile(join(folder, 'jobs.ndjson'), jobs.replace('candidate', 'invalid'));
    expect(await refusal(two)).toMatch(/^1 .*jobs.ndjson is not what was exported/);
    await writeFile(join(folder, 'jobs.ndjson'), jobs);
    await two.ask('import', folder);
  }, 120_000);
});
