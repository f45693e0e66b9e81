import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporary, writeFiles } from '../pipeline/fixture.ts';
import { clade } from './captured.ts';

test('help is no failure, for the program and for each command', async () => {
  const help = await clade('--help');
  expect(help.code).toBe(0);
  const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? '');
  expect(commands).toEqual(expect.arrayContaining(['init', 'check', 'run', 'daemon', 'status', 'patch', 'stop']));
  for (const command of commands.filter((name) => name !== 'help' && name !== 'clade')) {
    expect(await clade(command, '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`clade ${command}`),
    });
  }
  expect((await clade('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [[], /Usage/],
  [['nope'], /unknown command 'nope'/],
  [['stauts'], /Did you mean status/],
  [['status', '--bogus'], /unknown option '--bogus'/],
  [['run'], /missing required argument 'campaign'/],
  [['jobs', 'x', '-n', '0'], /whole number from 1/],
  [['jobs', 'x', '-n', '5000'], /at most 1000/],
  [['jobs', 'x', '--outcome', 'great'], /candidate, no_change/],
  [['run', 'x', '--port', '99999'], /a port was expected/],
  [['status', 'a', 'b'], /too many arguments/],
] as const)('%j is a wrong command line', async (argv, message) => {
  const { code, stdout, stderr } = await clade(...argv, ...(argv.length === 0 ? [] : ['-w', await temporary()]));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('with --json every error is one line of JSON on stderr', async () => {
  const workspace = await temporary();
  for (const [argv, code, exit] of [
    [['status', '--bogus'], 'usage', 2],
    [['nope'], 'usage', 2],
    [['show', 'xyz'], 'usage', 2],
    [['show', 'abcdef'], 'not_found', 1],
    [['status', 'zstd'], 'not_found', 1],
    [['run', join(workspace, 'nowhere')], 'configuration', 2],
  ] as const) {
    const result = await clade(...argv, '--json', '-w', workspace);
    expect(result).toMatchObject({ code: exit, stdout: '' });
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { code, message: expect.stringMatching(/./) } });
  }
});

test('a wrong campaign file is named with its line, and how to go on', async () => {
  const workspace = await temporary();
  await writeFiles(workspace, { 'campaigns/x/campaign.yaml': 'goal: faster\ntraget: {}\n' });
  const { code, stderr } = await clade('run', join(workspace, 'campaigns/x'), '-w', workspace);
  expect(code).toBe(2);
  expect(stderr).toMatch(/campaign\.yaml:2:\d+ .*target/);
});

test('an empty workspace', async () => {
  const workspace = await temporary();
  expect(await clade('status', '-w', workspace)).toMatchObject({
    code: 0,
    stdout: 'there is no campaign here yet; clade run CAMPAIGN starts one\n',
  });
  expect(await clade('status', '--json', '-w', workspace)).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await clade('show', 'x:1:2', '-w', workspace)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CAMPAIGN:JOB'),
  });
});
