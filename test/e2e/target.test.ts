import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignStatus } from '../../src/daemon/index.ts';
import { git } from '../fixtures/awkward.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** Nobody listens at port 1. */
const URL = 'http://127.0.0.1:1/pack.git';
const ELSEWHERE = /--target/;

const campaignFile = (jobs: number): string => `target: {repository: "${URL}", root: v1}
goal: cool more slowly
evaluator:
  command: [./evaluate.sh]
  objectives: [{name: rate, direction: maximize}]
agents: {coder: {kind: command, command: [sed, -i, "s/0.5/0.9/", pack.js]}}
budget: {jobs: ${jobs}}
`;

/** A repository of two tagged commits, and a bare mirror of it. */
async function source(workspace: Workspace): Promise<{ tree: string; bare: string }> {
  const tree = join(workspace.dir, 'source');
  const bare = join(workspace.dir, 'mirrors/pack.git');
  await mkdir(tree);
  await git(tree, ['init', '-q', '--initial-branch=main']);
  for (const [tag, text] of [
    ['v1', ''],
    ['v2', '// upstream\n'],
  ]) {
    await writeFile(join(tree, 'pack.js'), `export const cooling = 0.5;\n// one\n// two\n// three\n// four\n${text}`);
    await git(tree, ['add', '-A']);
    await git(tree, ['commit', '-qm', tag ?? '']);
    await git(tree, ['tag', tag ?? '']);
  }
  await git(tree, ['clone', '-q', '--mirror', tree, bare]);
  return { tree, bare };
}

test('a campaign whose URL cannot be reached runs from a mirror, and is the same campaign without it', {
  timeout: 300_000,
}, async () => {
  const workspace = await openWorkspace();
  const { tree, bare } = await source(workspace);
  const files = {
    'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"rate": %s}}' "$(sed -n 's/.*= \\(.*\\);/\\1/p' pack.js)" > "$CLADE_RESULT"
`,
    'campaign.yaml': campaignFile(1),
  };
  const folder = await workspace.campaign('pack', files);
  for (const command of ['check', 'run']) {
    const refused = await workspace.run(command, folder);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(URL);
    expect(refused.stderr).toMatch(ELSEWHERE);
  }
  const plain = await workspace.run('run', folder, '--target', folder);
  expect(plain).toMatchObject({ code: 2 });
  expect(plain.stderr).toContain('plain folder');
  const missing = await workspace.run('check', folder, '--target', join(workspace.dir, 'none'));
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain('--target');

  expect(await workspace.run('check', folder, '--target', tree)).toMatchObject({ code: 0 });
  expectDone(await workspace.run('run', folder, '--target', bare));
  const { rootCommit } = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(rootCommit).toBe((await git(tree, ['rev-parse', 'v1'])).trim());

  await workspace.campaign('pack', { 'campaign.yaml': campaignFile(2) });
  expectDone(await workspace.run('run', folder));
  expect(await workspace.ask<CampaignStatus>('status', 'pack')).toMatchObject({ budget: { settled: 2 }, rootCommit });

  const onto = ['patch', 'pack', '--onto', 'v2', '-o', join(workspace.dir, 'out')];
  const unreached = await workspace.run(...onto);
  expect(unreached.code).toBe(1);
  expect(unreached.stderr).toMatch(ELSEWHERE);
  expectDone(await workspace.run(...onto, '--target', bare));
  expect(await workspace.run('patch', 'pack', '--target', bare)).toMatchObject({ code: 2 });
});
