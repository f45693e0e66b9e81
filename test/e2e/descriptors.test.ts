import { expect, test } from 'vitest';
import type { CampaignStatus } from '../../src/daemon/index.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** The ledger under a descriptor, its evaluator also reporting features when it should. */
async function campaignWith(kind: string, reportsFeatures: boolean): Promise<Record<string, string>> {
  const files = await ledgerCampaign({ jobs: 24, lanes: 2 });
  const descriptor = `descriptor: {kind: ${kind}, provider:`;
  const yaml = files['campaign.yaml']?.replace('descriptor: {provider:', descriptor) ?? '';
  const evaluator = files['evaluate.mjs'] ?? '';
  const reporting = evaluator.replace("status: 'valid',", "status: 'valid', features: { entries, sum },");
  expect([yaml, reporting]).not.toEqual([files['campaign.yaml'], evaluator]);
  return { ...files, 'campaign.yaml': yaml, 'evaluate.mjs': reportsFeatures ? reporting : evaluator };
}

test.each(['diff', 'structural', 'features', 'random'])(
  '%s spreads a run over cells',
  { timeout: 300_000 },
  async (kind) => {
    const workspace = await openWorkspace();
    expectDone(await workspace.run('run', await workspace.campaign('ledger', await campaignWith(kind, true))));
    const { archive } = await workspace.ask<CampaignStatus>('status', 'ledger');
    expect(archive.epoch).toBeGreaterThan(0);
    expect(archive.occupied).toBeGreaterThan(1);
  },
);

test('features that the evaluator does not report pause the run with the way out', { timeout: 300_000 }, async () => {
  const workspace = await openWorkspace();
  const ended = await workspace.run('run', await workspace.campaign('ledger', await campaignWith('features', false)));
  expect(ended.code).not.toBe(0);
  expect(ended.stderr + ended.stdout).toContain('the evaluator gives the root no features');
});
