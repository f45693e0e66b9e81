import { expect, test } from 'vitest';
import type { JobView } from '../../src/daemon/index.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

const JOBS = 12;

/** The ledger of a finished run under a policy, the root first. */
async function jobsUnder(policy: string): Promise<JobView[]> {
  const workspace = await openWorkspace();
  const files = await ledgerCampaign({ jobs: JOBS, lanes: 2 });
  const yaml = files['campaign.yaml']?.replace('search:\n', `search:\n  policy: ${policy}\n`) ?? '';
  expectDone(await workspace.run('run', await workspace.campaign('ledger', { ...files, 'campaign.yaml': yaml })));
  const jobs = await workspace.ask<JobView[]>('jobs', 'ledger');
  expect(jobs).toHaveLength(JOBS + 1);
  return jobs;
}

test('sequential-champion starts each job from the best before it', { timeout: 300_000 }, async () => {
  const bases = new Set<number>();
  let best = { ordinal: 0, sum: -Infinity };
  for (const { ordinal, kind, base, inspirations, outcome, objectives } of await jobsUnder('sequential-champion')) {
    if (kind === 'generate')
      expect({ ordinal, base, inspirations }).toEqual({ ordinal, base: best.ordinal, inspirations: [] });
    if (kind === 'generate') bases.add(best.ordinal);
    const sum = outcome === 'candidate' ? (objectives?.sum ?? -Infinity) : -Infinity;
    if (sum > best.sum) best = { ordinal, sum };
  }
  // A run in which nothing ever got better would show nothing.
  expect(bases.size).toBeGreaterThan(1);
});

test('independent-root starts each job from the root', { timeout: 300_000 }, async () => {
  const jobs = (await jobsUnder('independent-root')).filter(({ kind }) => kind === 'generate');
  expect(jobs.map(({ base }) => base)).toEqual(jobs.map(() => 0));
});
