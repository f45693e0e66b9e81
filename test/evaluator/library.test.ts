import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test, vi } from 'vitest';
import type { Campaign } from '../../src/config/index.ts';
import { evaluate, NO_HOOKS, pinBundle } from '../../src/evaluator/index.ts';
import { processStart } from '../../src/process/index.ts';
import { describeIf } from '../support/requirements.ts';
import { writeFiles } from '../support/workspace.ts';
import { campaignOf, requester, scratchFolder, stepsOf } from './fixture.ts';

const never = new AbortController().signal;
const scratch = await scratchFolder();
const directory = join(scratch, 'campaign');
const into = join(scratch, 'bundles');

const reporting = (typed: string) => `#!/usr/bin/env node
import { contract, main } from 'clade/evaluator';
import { speed } from './speed${typed === '' ? '.mjs' : '.ts'}';
const size${typed} = contract().seed;
await main(async () => ({ status: 'valid', objectives: { speed, size }, summary: contract().step }));
`;
await writeFiles(directory, {
  'speed.mjs': 'export const speed = 3;\n',
  'speed.ts': 'export const speed: number = 3;\n',
  'evaluate.mjs': reporting(''),
  'evaluate.ts': reporting(': number'),
  'paired.sh':
    '#!/bin/sh\ncommand -v clade-paired >&2; clade-paired --help | head -1 >&2; cat "$CLADE_CAMPAIGN_DIR/fine.json"\n',
  'fine.json': '{"status":"valid","objectives":{"speed":1,"size":1}}',
});
const bundle = await pinBundle(campaignOf({ directory }), into);

const forOff = await requester('off');
const forRequired = await requester('required');
describe('without a sandbox', () => suite(forOff));
await describeIf('bubblewrap', 'in the sandbox', () => suite(forRequired));

function suite(request: Awaited<ReturnType<typeof requester>>) {
  const run = async (steps: Campaign['evaluator']['steps']) =>
    evaluate(await request({ steps }, { bundle: bundle.dir }), NO_HOOKS, never);

  test.each(['evaluate.mjs', 'evaluate.ts'])('%s imports clade/evaluator', async (name) => {
    for (const command of [[`./${name}`], ['node', name]]) {
      const { evaluation, stderr } = await run(stepsOf(command));
      expect(evaluation).toMatchObject({ objectives: { speed: 3, size: 7 }, summary: 'evaluate' });
      expect(stderr.text).not.toMatch(/Experimental/);
    }
  });

  test('the commands of the library come first on the PATH', async () => {
    const { evaluation, stderr } = await run(stepsOf(['./paired.sh']));
    expect(evaluation.status).toBe('valid');
    expect(stderr.text).toMatch(/^\S+\/node_modules\/\.bin\/clade-paired\nusage: clade-paired/);
  });

  test('every ready evaluator is a command that starts', async () => {
    for (const name of await ready()) {
      const script = `clade-${name} --options '"x"' >&2; cat "$CLADE_CAMPAIGN_DIR/fine.json"`;
      const { stderr } = await run(stepsOf(['sh', '-c', script]));
      // It refuses such options, but it was found and all that it imports is there.
      expect(stderr.text).not.toMatch(/not found|ERR_MODULE_NOT_FOUND|SyntaxError/);
    }
  });
}

async function ready(): Promise<string[]> {
  const commands = await readdir(join(bundle.dir, 'node_modules/.bin'));
  return commands.filter((name) => name !== 'clade-paired').map((name) => name.slice('clade-'.length));
}

test('the library is part of the hash, as JavaScript without types', async () => {
  const home = join(bundle.dir, 'node_modules/clade');
  expect(await ready()).toContain('circle-packing');
  const files = await readdir(home, { recursive: true });
  expect(files).toContain('kit/index.js');
  expect(files.filter((name) => /\.ts$|README/.test(name))).toEqual([]);
  const text = await readFile(join(home, 'kit/index.js'), 'utf8');
  expect(text).not.toMatch(/\.ts'/);
  expect(text).toMatch(/from '\.\/compare\.js'/);
});

test('stripping types says nothing on the user’s terminal', async () => {
  const emit = vi.spyOn(process, 'emitWarning');
  await pinBundle(campaignOf({ directory }), join(scratch, 'other'));
  expect(emit).not.toHaveBeenCalled();
  emit.mockRestore();
});

test('a copy that a dead process left is removed, one under way is not', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  const [dead, older, ours] = [
    `.incoming-${child.pid}-1-aa`,
    '.incoming-bb',
    `.incoming-${process.pid}-${processStart(process.pid)}-cc`,
  ];
  for (const name of [dead, older, ours]) {
    await mkdir(join(into, name, 'half'), { recursive: true });
    await writeFile(join(into, name, 'half/file'), '');
  }
  expect((await pinBundle(campaignOf({ directory }), into)).hash).toBe(bundle.hash);
  expect((await readdir(into)).sort()).toEqual([ours, bundle.hash].sort());
});

test('what is hidden behind a link of the campaign folder is not copied', async () => {
  const own = join(scratch, 'linked');
  await writeFiles(own, { 'data/holdout/secret': 'x', 'data/train/open': 'y' });
  await symlink('data/holdout', join(own, 'holdout'));
  const hidden = [{ path: join(own, 'holdout'), splits: ['holdout' as const] }];
  const { dir } = await pinBundle(campaignOf({ directory: own, evaluator: { hidden } }), join(scratch, 'third'));
  const copied = (await readdir(dir, { recursive: true })).filter((path) => !path.startsWith('node_modules'));
  expect(copied.sort()).toEqual(['data', 'data/train', 'data/train/open']);
});
