import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../fixtures/awkward.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

const PACK = Array.from({ length: 12 }, (_, line) => `// line ${line}\n`).join('');

const commitAll = async (target: string, message: string): Promise<string> => {
  await git(target, ['add', '-A']);
  await git(target, ['commit', '-qm', message]);
  return (await git(target, ['rev-parse', 'HEAD'])).trim();
};

test('a winner is carried to a newer upstream and measured there, or refused with the conflict', async () => {
  const workspace = await openWorkspace();
  const target = join(workspace.dir, 'source');
  await mkdir(target);
  await git(target, ['init', '-q', '--initial-branch=main']);
  await writeFile(join(target, 'pack.js'), `export const cooling = 0.5;\n${PACK}`);
  await commitAll(target, 'first');
  const folder = await workspace.campaign('pack', {
    'evaluate.sh': `#!/bin/sh
rate=$(sed -n 's/.*= \\(.*\\);/\\1/p' pack.js)
printf '{"status": "valid", "objectives": {"rate": %s, "lines": %d}}' "$rate" "$(wc -l < pack.js)" > "$CLADE_RESULT"
`,
    'campaign.yaml': `target: {repository: ../../source}
goal: cool more slowly
evaluator:
  command: [./evaluate.sh]
  objectives: [{name: rate, direction: maximize}, {name: lines, direction: minimize}]
agents: {coder: {kind: command, command: [sed, -i, "s/0.5/0.9/", pack.js]}}
budget: {jobs: 1}
`,
  });
  expectDone(await workspace.run('run', folder));

  await appendFile(join(target, 'pack.js'), '// upstream\n');
  const newer = await commitAll(target, 'elsewhere in the file');
  await writeFile(join(target, 'pack.js'), `export const cooling = 0.25;\n${PACK}`);
  const clash = await commitAll(target, 'the same line');

  const patches = join(workspace.dir, 'onto');
  expectDone(await workspace.run('patch', 'pack', '--onto', newer, '-o', patches));
  const proof = JSON.parse(await readFile(join(patches, 'proof.json'), 'utf8'));
  expect(proof).toMatchObject({ appliesTo: newer, root: { rate: 0.5, lines: 14 }, measured: { rate: 0.9, lines: 14 } });
  await git(target, ['checkout', '-q', newer]);
  await git(target, ['am', '-q', ...proof.files.map((file: string) => join(workspace.dir, file))]);
  expect((await git(target, ['rev-parse', 'HEAD^{tree}'])).trim()).toBe(proof.tree);

  const refused = await workspace.run('patch', 'pack', '--onto', clash, '-o', join(workspace.dir, 'refused'));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('pack.js');
  expect(refused.stderr).toContain('<<<<<<<');
  await expect(readFile(join(workspace.dir, 'refused/proof.json'))).rejects.toThrow('ENOENT');
});
