/** Faults 19: one campaign in which every job meets another agent that misbehaves, with a sandbox and without. */
import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignStatus, JobView } from '../../src/daemon/index.ts';
import { listPids } from '../../src/process/proc.ts';
import { HOSTILE_AGENTS, type HostileAgent, SLEEP } from '../fixtures/agents/hostile.ts';
import { git } from '../fixtures/awkward.ts';
import { describeIf } from '../support/requirements.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
/** `limits.disk` is looked at every 400 ms, and a disk may be fast. */
const LEFT_BYTES = 100 * 2 ** 20;

/** Runs the script of its job, whose number is in the name of its HOME. */
const PLAY = `#!/bin/sh
job=$(echo "$HOME" | sed 's/.*job-\\([0-9]*\\).*/\\1/')
export USERS="$2"
edit() { echo "// job $job" >> pack.js; }
. "$1/$job.sh"
`;

async function campaign(workspace: Workspace, agents: readonly HostileAgent[], sandbox: string) {
  const scripts = agents.map(({ script }, index) => [`agents/${index + 1}.sh`, `${script}\n`]);
  const at = join(workspace.dir, 'campaigns/hostile');
  const folder = await workspace.campaign('hostile', {
    ...Object.fromEntries(scripts),
    'play.sh': PLAY,
    'target/pack.js': '// pack\n',
    'target/other.js': '// other\n',
    'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(cat pack.js 2> /dev/null | wc -l)" > "$CLADE_RESULT"
`,
    'campaign.yaml': `target: {repository: ./target}
goal: survive
evaluator: {command: [./evaluate.sh], concurrency: 2, objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 2, coder: {kind: command, timeout: 3s, command: [./play.sh, ${join(at, 'agents')}, ${join(at, 'target')}]}}
search: {schedule: {size: 4}, seed: 3}
limits: {disk: 64MiB}
sandbox: ${sandbox}
budget: {jobs: ${agents.length}}
`,
  });
  const target = join(folder, 'target');
  await git(target, ['init', '-q', '-b', 'main']);
  await git(target, ['add', '-A']);
  await git(target, ['commit', '-q', '-m', 'Root']);
  // Work of the user's that is not committed.
  await writeFile(join(target, 'pack.js'), '// pack\n// mine\n');
  return { folder, target };
}

async function survive(sandbox: 'off' | 'required'): Promise<void> {
  const agents = HOSTILE_AGENTS.filter(({ only }) => only === undefined || only === sandbox);
  const tmp = join((await openWorkspace()).dir, 'tmp');
  await mkdir(tmp);
  const workspace = await openWorkspace({ TMPDIR: tmp });
  const { folder, target } = await campaign(workspace, agents, sandbox);
  const before = await userState(target);
  expectDone(await workspace.run('run', folder));

  const jobs = await workspace.ask<JobView[]>('jobs', 'hostile');
  const fates = agents.map(({ name, fate }, index) => {
    const job = jobs.find(({ ordinal }) => ordinal === index + 1);
    return { name, ...Object.fromEntries(Object.keys(fate).map((key) => [key, job?.[key as keyof JobView]])) };
  });
  expect(fates).toEqual(agents.map(({ name, fate }) => ({ name, ...fate })));
  const status = await workspace.ask<CampaignStatus>('status', 'hostile');
  expect(status).toMatchObject({ state: 'finished', budget: { settled: agents.length } });

  // Nobody is left, and nothing on the disk but what the campaign keeps.
  expect(sleepers()).toEqual([]);
  expect(await readdir(tmp)).toEqual([]);
  const clade = join(workspace.dir, '.clade');
  expect((await readdir(join(clade, 'scratch/hostile'))).filter((name) => name !== 'tmp')).toEqual([]);
  expect(existsSync(join(clade, 'scratch/executed'))).toBe(false);
  expect(await bytesBelow(join(clade, 'hubs'))).toBeLessThan(LEFT_BYTES);
  expect(await userState(target)).toEqual(before);
  const hub = join(clade, 'hubs/hostile.git');
  await git(hub, ['fsck', '--full', '--strict']);
  for (const { commit } of jobs) if (commit !== null) await git(hub, ['archive', '-o', '/dev/null', commit]);
}

/** All that an agent could have done to the checkout of the user. */
async function userState(target: string): Promise<object> {
  const files = await readdir(target);
  const texts = await Promise.all(files.filter((name) => name !== '.git').map((name) => readFile(join(target, name))));
  const refs = await git(target, ['for-each-ref']);
  return {
    files,
    texts: texts.join(),
    refs,
    head: await git(target, ['rev-parse', 'HEAD']),
    config: await readFile(join(target, '.git/config'), 'utf8'),
  };
}

async function bytesBelow(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await lstat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function sleepers(): number[] {
  return listPids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(`sleep\0${SLEEP}`);
    } catch {
      return false; // It ended while we looked.
    }
  });
}

await describeIf('bubblewrap', 'faults 19: agents that misbehave in the sandbox', () => {
  test('each has the outcome that it should, and nothing of it is left', { timeout: 300_000 }, () =>
    survive('required'),
  );
});

test('faults 19: agents that misbehave without a sandbox', { timeout: 300_000 }, () => survive('off'));
