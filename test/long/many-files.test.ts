import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignStatus } from '../../src/daemon/index.ts';
import { git } from '../fixtures/awkward.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const FILES = 100_000;
const openWorkspace = workspaces();

/** A repository of one commit, in folders of 100 files. */
async function build(dir: string): Promise<void> {
  await mkdir(dir);
  await git(dir, ['init', '-q', '-b', 'main']);
  const path = (file: number): string => `src/d${Math.floor(file / 100)}/f${file}.js`;
  const text = (file: number): string => `export const f${file} = ${file};\n`;
  const files = Array.from({ length: FILES }, (_, file) => {
    return `M 100644 inline ${path(file)}\ndata ${text(file).length}\n${text(file)}`;
  });
  const who = 'committer A Person <person@example.org> 1700000000 +0000\ndata 4\nroot\n';
  const importing = execFile('git', ['-C', dir, 'fast-import', '--quiet']);
  importing.stdin?.end(`commit refs/heads/main\n${who}${files.join('')}`);
  await new Promise((resolve) => importing.once('close', resolve));
}

test('a repository of 100,000 files goes through a campaign, and its winner comes out as a patch', async () => {
  const workspace = await openWorkspace();
  const target = join(workspace.dir, 'source');
  await build(target);
  const folder = await workspace.campaign('many', {
    'agent.sh': '#!/bin/sh\ncat > /dev/null\necho "// $(basename "$(dirname "$HOME")")" >> src/d500/f50000.js\n',
    'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(wc -l < src/d500/f50000.js)" > "$CLADE_RESULT"
`,
    'campaign.yaml': `target: {repository: ../../source, edit: ["src/**"]}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}]}
agents: {concurrency: 2, coder: {kind: command, command: [./agent.sh]}}
search: {schedule: {size: 2}}
budget: {jobs: 4}
`,
  });
  const began = performance.now();
  expectDone(await workspace.run('run', folder));
  console.log(`4 jobs on ${FILES} files in ${Math.round((performance.now() - began) / 1000)} s`);
  const { outcomes } = await workspace.ask<CampaignStatus>('status', 'many');
  expect(outcomes).toMatchObject({ candidate: 4, failed: 0 });
  expect(await workspace.ask('patch', 'many')).toHaveLength(1);
  expect(await readdir(target)).toEqual(['.git']);
}, 600_000);
