import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locale, nodeFinding, programFinding, writable } from '../../../src/cli/doctor/machine.ts';
import { clockFinding } from '../../../src/cli/doctor/services.ts';
import { workspaces } from '../../support/workspace.ts';

interface Report {
  readonly findings: readonly { readonly subject: string; readonly verdict: string; readonly text: string }[];
}
const openWorkspace = workspaces();

test('a fit machine is told about subject by subject; a problem makes the exit code 1', {
  timeout: 120_000,
}, async () => {
  const workspace = await openWorkspace({ CLADE_DATABASE_URL: '' });
  const fit = await workspace.run('doctor', '--json');
  const { findings } = JSON.parse(fit.stdout) as Report;
  expect(findings.map(({ subject }) => subject)).toEqual([
    ...['node', 'git', 'tar', 'sandbox', 'disk', 'memory', 'tmp', 'ulimit', 'cpu', 'locale', 'label'],
    ...['database', 'clock', 'port'],
  ]);
  expect(findings.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
  expect(fit.code).toBe(0);
  expect(findings.find(({ subject }) => subject === 'database')?.text).toMatch(/^pglite \d+.*, schema \d{4}_\w+/);

  const lost = await openWorkspace({
    CLADE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
    CLADE_HUB_URL: '/no/such/hubs',
  });
  const unfit = await lost.run('doctor');
  expect(unfit.code).toBe(1);
  expect(unfit.stdout).toMatch(/^PROBLEM {2}database/m);
  expect(unfit.stdout).toMatch(/^PROBLEM {2}hubs .*mount the folder/m);
});

test('an old Node, a program that is missing or broken, a foreign clock and a folder that is not there are told', async () => {
  expect(nodeFinding('22.17.9').verdict).toBe('problem');
  expect(nodeFinding('22.18.0').verdict).toBe('fine');
  expect(nodeFinding('24.0.1').verdict).toBe('fine');
  expect(await programFinding('no-such-program', [], 'get it')).toMatchObject({ verdict: 'problem' });
  expect(await programFinding('false', [], 'get it')).toMatchObject({ verdict: 'problem' });
  expect(clockFinding(-5001).verdict).toBe('warning');
  expect(clockFinding(4999).verdict).toBe('fine');
  expect(locale({ LC_ALL: '', LANG: 'en_US.UTF-8' }).verdict).toBe('fine');
  expect(locale({ LC_ALL: 'C', LANG: 'en_US.UTF-8' }).verdict).toBe('warning');
  const folder = await mkdtemp(join(tmpdir(), 'clade-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect((await writable('hubs', folder, '')).verdict).toBe('fine');
  expect((await writable('hubs', join(folder, 'none'), '')).verdict).toBe('problem');
});
