import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CandidateView, JobView } from '../../src/daemon/index.ts';
import { buildAwkward, git } from '../fixtures/awkward.ts';
import { expectDone, type Workspace, workspaces, writeFiles } from '../support/workspace.ts';

const openWorkspace = workspaces();
const FIXTURE = join(import.meta.dirname, '../fixtures/awkward.ts');

/** Edits the root in every way that Git can record; on what is edited already, and after that, it says which job it is. */
const AGENT = `import { appendFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
const [, , fixture] = process.argv;
const { editAwkward } = await import(fixture);
if (!existsSync('src/new-empty')) await editAwkward('.');
await appendFile('src/main.c', \`// \${/job-\\d+/.exec(process.env.TMPDIR)}\\n\`);
`;

const EVALUATOR = `#!/bin/sh
test -e src/new-empty
printf '{"status": "valid", "objectives": {"edited": %d, "size": %d}}' $? "$(wc -c < src/main.c)" > "$CLADE_RESULT"
`;

/** What people have configured, and what hangs when anybody minds it. */
const HANGING_HOOK = '#!/bin/sh\nsleep 1000\n';
const HOOKS = [
  'pre-commit',
  'post-checkout',
  'applypatch-msg',
  'pre-applypatch',
  'post-commit',
  'reference-transaction',
];
const configuration = (hooks: string): string => `[diff]
	noprefix = true
[core]
	autocrlf = true
	hooksPath = ${hooks}
[commit]
	gpgSign = true
`;

async function hostileWorkspace(): Promise<{ workspace: Workspace; target: string; folder: string }> {
  const workspace = await openWorkspace();
  const target = join(workspace.dir, 'source');
  await buildAwkward(target);
  const hooks = join(workspace.dir, 'hooks');
  const hanging = Object.fromEntries(HOOKS.map((hook) => [hook, HANGING_HOOK]));
  await writeFiles(hooks, hanging);
  await writeFiles(join(target, '.git/hooks'), hanging);
  const own = join(target, '.git/config');
  await writeFile(own, (await readFile(own, 'utf8')) + configuration(hooks));
  await writeFile(join(workspace.dir, '.gitconfig'), configuration(hooks));
  const folder = await workspace.campaign('awkward', {
    'agent.mjs': AGENT,
    'evaluate.sh': EVALUATOR,
    'campaign.yaml': `target: {repository: ../../source, edit: ["src/**"]}
goal: edit everything
evaluator:
  command: [./evaluate.sh]
  objectives: [{name: size, direction: maximize}, {name: edited, direction: minimize}]
agents:
  coder:
    kind: command
    command: ${JSON.stringify([process.execPath, './agent.mjs', FIXTURE])}
search: {warmup: 4, projection: {dimensions: 1}}
budget: {jobs: 12}
`,
  });
  return { workspace, target, folder };
}

/** The patches of a folder, applied as anybody would in a clone of the target; gives the tree. */
async function applied(target: string, clone: string, patches: readonly string[]): Promise<string> {
  await git(target, ['clone', '-q', '--no-local', '-c', 'core.hooksPath=/dev/null', target, clone]);
  await git(clone, ['am', '-q', ...patches]);
  expect(await git(clone, ['status', '--porcelain'])).toBe('');
  return (await git(clone, ['rev-parse', 'HEAD^{tree}'])).trim();
}

test('an awkward repository goes through a campaign and comes out as patches', { timeout: 300_000 }, async () => {
  const { workspace, target, folder } = await hostileWorkspace();
  expectDone(await workspace.run('run', folder));
  const jobs = await workspace.ask<JobView[]>('jobs', 'awkward');
  const child = jobs.find(({ base, outcome }) => outcome === 'candidate' && base !== null && base > 0);
  const winner = await workspace.ask<CandidateView>('show', `awkward:${child?.ordinal}`);

  const out = join(workspace.dir, 'out');
  for (const options of [[], ['--squash']]) {
    const place = join(out, options[0] ?? 'series');
    const [handed] = await workspace.ask<{ tree: string; files: string[] }[]>(
      ...['patch', 'awkward', '--commit', winner.commit ?? '', '-o', place, ...options],
    );
    expect(handed?.tree).toBe(winner.tree);
    expect(handed?.files).toHaveLength(options.length === 0 ? winner.lineage.length - 1 : 1);
    const files = (handed?.files ?? []).map((file) => join(workspace.dir, file));
    expect(await applied(target, join(place, 'clone'), files)).toBe(winner.tree);
  }
});
