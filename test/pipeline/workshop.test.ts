import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConflictError, InfrastructureError } from '../../src/errors.ts';
import { openWorkshop, type Pinned, type Workshop } from '../../src/pipeline/index.ts';
import { campaignIn, temporary, writeFiles } from './fixture.ts';

const pinnedOf = ({ root, bundle }: Workshop): Pinned => ({ root, bundleHash: bundle.hash });

test('a second opening resolves nothing again: root and evaluator stay those of the first', async () => {
  const workspace = await temporary();
  const campaign = await campaignIn(workspace);
  const first = await openWorkshop(workspace, campaign, null);
  await writeFiles(campaign.directory, { 'evaluate.sh': '#!/bin/sh\nexit 1\n', 'target/value.txt': '5\n' });
  const second = await openWorkshop(workspace, campaign, pinnedOf(first));
  expect(second.root).toEqual(first.root);
  expect(second.bundle).toEqual(first.bundle);
  expect([first.bundleChanged, second.bundleChanged]).toEqual([false, true]);
});

test('a pinned evaluator or a hub that is gone is said, with what to do', async () => {
  const workspace = await temporary();
  const campaign = await campaignIn(workspace);
  const first = await openWorkshop(workspace, campaign, null);
  await writeFiles(campaign.directory, { 'evaluate.sh': '#!/bin/sh\nexit 1\n' });
  await chmod(first.bundle.dir, 0o755);
  await rm(first.bundle.dir, { recursive: true });
  const gone = await openWorkshop(workspace, campaign, pinnedOf(first)).catch((error) => error);
  expect(gone).toBeInstanceOf(ConflictError);
  expect(gone.hint).toContain('campaign folder');

  const other = await campaignIn(workspace, { name: 'other' });
  const opened = await openWorkshop(workspace, other, null);
  await rm(join(opened.hub.dir), { recursive: true });
  const lost = await openWorkshop(workspace, other, pinnedOf(opened)).catch((error) => error);
  expect(lost).toBeInstanceOf(InfrastructureError);
  expect(lost.message).toContain(opened.root.commit);
});
