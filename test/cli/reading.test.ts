import { expect, test } from 'vitest';
import { databaseApi } from '../../src/daemon/index.ts';
import { openStore } from '../../src/store/index.ts';
import { hostOn } from '../daemon/fixture.ts';
import { campaignIn, temporary } from '../pipeline/fixture.ts';
import { clade } from './captured.ts';

/** Told of nothing that happens here. */
const NOTIFY = 'notify: [{on: [fault], command: [cat]}, {on: [fault], command: [./not-there]}]';

test('what was run is read back by every command, as text and as JSON', async () => {
  const workspace = await temporary();
  const store = await openStore({ workspace, label: 'a test' });
  const { host } = await hostOn(store, workspace);
  await host.run(await campaignIn(workspace, { jobs: 6, more: NOTIFY }));
  const best = await databaseApi(store.db, workspace).job('counting', 6);
  await store.close();
  const ask = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await clade(...argv, '-w', workspace);
    expect({ argv, code, stderr }).toEqual({ argv, code: 0, stderr: '' });
    return stdout;
  };

  expect(await ask('status')).toMatch(/counting +finished +6\/6 +6/);
  expect(await ask('status', 'counting')).toContain('jobs     6 of 6 settled, 0 open');
  expect((await ask('jobs', 'counting', '-n', '2')).trimEnd().split('\n')).toHaveLength(3);
  expect(await ask('jobs', 'counting', '--outcome', 'failed')).not.toMatch(/\d/);
  const commit = best.commit ?? '';
  expect(await ask('show', 'counting:6')).toContain(`commit       ${commit}`);
  expect(await ask('show', commit.slice(0, 12), '--brief')).toContain('go faster');
  expect(await ask('show', 'counting:6')).toContain('island       0, staleness 1');
  const explanation = await ask('explain', commit.slice(0, 12));
  expect(explanation).toMatch(/^counting job 6: candidate/);
  expect(explanation).toContain('replay       same');
  expect(await ask('explain', 'counting:0')).toContain('It is the root of the campaign.');
  expect(await ask('lineage', commit)).toMatch(/^job {2}commit.*\n {2}0 /);
  expect(await ask('archive', 'counting')).toMatch(/^epoch 1: \d+ of 4 cells/);
  expect(await ask('log', 'counting', '-n', '1')).toContain('campaign.started');
  for (const argv of [
    ['status'],
    ['jobs', 'counting'],
    ['show', 'counting:1'],
    ['explain', 'counting:1'],
    ['archive', 'counting'],
    ['log', 'counting'],
  ]) {
    expect(JSON.parse(await ask(...argv, '--json'))).toBeTypeOf('object');
  }
  const tried = await clade('notify', 'counting', '-w', workspace);
  expect(tried).toMatchObject({ code: 1, stderr: '' });
  expect(tried.stdout).toMatch(/^cat +fault +taken +\d+ m?s$/m);
  expect(tried.stdout).toMatch(/^\.\/not-there +fault +\.\/not-there: not found or not executable /m);
  const ended = await clade('pause', 'counting', '-w', workspace);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('raise budget.jobs') });
  expect(await ask('resume', 'counting')).toContain('nobody runs it now');
});
