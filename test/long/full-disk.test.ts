import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { dumpCampaign } from '../e2e/dump.ts';
import { mountDisk } from '../support/disk.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { itIf } from '../support/requirements.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

itIf('mounts', 'the embedded database outlives a disk without a byte to spare', 300_000, async () => {
  const files = await ledgerCampaign({ jobs: 12, lanes: 2 });
  const alone = await openWorkspace();
  expectDone(await alone.run('run', await alone.campaign('ledger', files)));
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', files);
  const [state, planted] = [join(workspace.dir, '.clade'), join(workspace.dir, 'planted')];
  await rename(state, planted);
  await using disk = await mountDisk(state, { mebibytes: 128, files: 8192 });
  await cp(planted, state, { recursive: true });
  const run = workspace.start('run', folder);
  await run.says(/^\[3\/12\]/m);
  const free = await disk.fill('bytes');
  await run.says(/warning: (the disk of|the database failed)/);
  // What writes goes on trying.
  await sleep(5_000);
  await free();
  expectDone(await run.ended);
  expect(run.output()).toMatch(/No space left|has less than/);
  const end = await dumpCampaign({ workspace: workspace.dir }, 'ledger');
  expect(end).toEqual(await dumpCampaign({ workspace: alone.dir }, 'ledger'));
});
