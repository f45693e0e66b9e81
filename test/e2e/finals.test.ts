import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { CampaignStatus, EventView, JobView } from '../../src/daemon/index.ts';
import { findMarked, workspaceMark } from '../../src/process/index.ts';
import { ledgerCampaign } from '../support/ledger.ts';
import { expectDone, until, type Workspace, workspaces } from '../support/workspace.ts';
import { type Dump, dumpCampaign } from './dump.ts';

const openWorkspace = workspaces();

/**
 * The sum of the ledger's numbers, but a ledger over the limit of the split's data loses what it is over. Only the data of its
 * own split is there; that of validation punishes what is best on train. Says in the cache what it measures.
 */
const EVALUATOR = `#!/usr/bin/env node
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
const { CLADE_CACHE, CLADE_CAMPAIGN_DIR, CLADE_HIDDEN, CLADE_RESULT, CLADE_SPLIT } = process.env;
appendFileSync(join(CLADE_CACHE, 'began'), CLADE_SPLIT + '\\n');
const data = CLADE_SPLIT === 'train' ? join(CLADE_CAMPAIGN_DIR, 'data/train.json') : CLADE_HIDDEN;
if (basename(data) !== CLADE_SPLIT + '.json') throw new Error('the wrong data: ' + data);
const { limit } = JSON.parse(readFileSync(data, 'utf8'));
const text = readFileSync('ledger.js', 'utf8');
const sum = (text.match(/\\d+/g) ?? []).reduce((total, digits) => total + Number(digits.slice(0, 4)), 0);
const value = sum > limit ? 2 * limit - sum : sum;
await new Promise((resolve) => setTimeout(resolve, CLADE_SPLIT === 'train' ? 0 : 150));
writeFileSync(CLADE_RESULT, JSON.stringify({ status: 'valid', objectives: { sum: value, bytes: text.length }, summary: 'read' }));
`;

async function splitCampaign(jobs: number, { finalists = 5, limit = 400 } = {}): Promise<Record<string, string>> {
  const files = await ledgerCampaign({ jobs, evaluator: EVALUATOR });
  const data = (split: string): string => `{path: ./data/${split}.json, splits: [${split}]}`;
  const yaml = files['campaign.yaml']?.replace(
    'evaluator:\n',
    `evaluator:
  splits: [train, validation, holdout]
  hidden: [${data('validation')}, ${data('holdout')}]
  finals: {finalists: ${finalists}, every: 8}
`,
  );
  return {
    ...files,
    'campaign.yaml': yaml ?? '',
    'data/train.json': '{"limit": 100000}',
    'data/validation.json': `{"limit": ${limit}}`,
    'data/holdout.json': '{"limit": 100000}',
  };
}

const JOBS = 12;

/** How many candidates of a split began to be measured, wherever in the cache that is noted. */
async function began({ dir }: Workspace, split: string): Promise<number> {
  const cache = join(dir, '.clade/cache/ledger');
  if (!existsSync(cache)) return 0;
  const notes = (await readdir(cache, { recursive: true })).filter((name) => basename(name) === 'began');
  const texts = await Promise.all(notes.map((name) => readFile(join(cache, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line === split).length;
}

async function uses(workspace: Workspace): Promise<string[]> {
  const events = await workspace.ask<EventView[]>('log', 'ledger', '--limit', '1000');
  return events
    .filter(({ kind }) => kind === 'split.used')
    .map(({ ordinal, data }) => `${(data as { split: string }).split} ${ordinal}`)
    .filter((use) => !use.startsWith('train'));
}

let undisturbed: { dump: Dump; uses: string[]; status: CampaignStatus };

beforeAll(async () => {
  const workspace = await openWorkspace();
  const ended = await workspace.run('run', await workspace.campaign('ledger', await splitCampaign(JOBS)));
  expectDone(ended);
  const status = await workspace.ask<CampaignStatus>('status', 'ledger');
  expect(ended.stdout).toContain(`winner job ${status.winner?.ordinal}`);
  expect(ended.stdout).toContain(`looks  validation ${status.looks.validation}, holdout 1`);
  expect(await began(workspace, 'validation')).toBe(status.looks.validation);
  expect(await began(workspace, 'holdout')).toBe(1);
  undisturbed = {
    dump: await dumpCampaign({ workspace: workspace.dir }, 'ledger'),
    uses: (await uses(workspace)).sort(),
    status,
  };
  await readings(workspace, status);
}, 600_000);

/** Every command that names a winner names this one. */
async function readings(workspace: Workspace, { winner, best }: CampaignStatus): Promise<void> {
  const jobs = await workspace.ask<JobView[]>('jobs', 'ledger');
  expect(jobs.filter((job) => job.winner).map((job) => job.commit)).toEqual([winner?.commit]);
  const shown = await workspace.run('show', winner?.commit ?? '');
  expect(shown.stdout).toMatch(/^winner /m);
  for (const split of ['train', 'validation', 'holdout'])
    expect(shown.stdout).toMatch(new RegExp(`^${split} +sum`, 'm'));
  expect((await workspace.run('show', best?.commit ?? '')).stdout).not.toMatch(/^(winner|holdout) /m);
  expectDone(await workspace.run('patch', 'ledger', '--squash', '-o', join(workspace.dir, 'out')));
  const proof = JSON.parse(await readFile(join(workspace.dir, 'out/proof.json'), 'utf8'));
  expect(proof.commit).toBe(winner?.commit);
}

test('who is best on train and bad on validation loses, and holdout is measured once', () => {
  const { status, dump } = undisturbed;
  const { winner, best } = status;
  expect(winner).toMatchObject({ settled: JOBS, closing: true });
  expect(winner?.ordinal).not.toBe(0);
  expect(winner?.ordinal).not.toBe(best?.ordinal);
  const validated = dump.jobs.flatMap(({ ordinal, outcome, evaluations }) =>
    evaluations.flatMap(({ split, objectives }) =>
      split === 'validation' && outcome === 'candidate' ? [{ ordinal, sum: objectives?.sum ?? Number.NaN }] : [],
    ),
  );
  const sums = validated.map(({ sum }) => sum);
  expect(validated.find(({ ordinal }) => ordinal === winner?.ordinal)?.sum).toBe(Math.max(...sums));
  expect(validated.find(({ ordinal }) => ordinal === best?.ordinal)?.sum).toBeLessThan(Math.max(...sums));
  expect(undisturbed.uses.filter((use) => use.startsWith('holdout'))).toEqual([`holdout ${winner?.ordinal}`]);
  expect(status.looks).toEqual({ validation: validated.length, holdout: 1 });
});

test('finals that are killed again and again come to the same end, and ask for nothing twice', {
  timeout: 600_000,
}, async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('ledger', await splitCampaign(JOBS));
  const moments: [split: string, measured: number][] = [
    ['validation', 1],
    ['validation', 4],
    ['validation', 6],
    ['holdout', 1],
  ];
  for (const [split, measured] of moments) {
    const clade = workspace.start('run', folder);
    await until(
      () => began(workspace, split),
      (count) => count >= measured,
    );
    clade.signal('SIGKILL');
    await clade.ended;
  }
  expectDone(await workspace.run('run', folder));
  expect(findMarked(workspaceMark(workspace.dir))).toEqual([]);
  expect((await uses(workspace)).sort()).toEqual(undisturbed.uses);
  expect(await dumpCampaign({ workspace: workspace.dir }, 'ledger')).toEqual(undisturbed.dump);
  const { winner, looks } = await workspace.ask<CampaignStatus>('status', 'ledger');
  expect({ winner, looks }).toEqual({ winner: undisturbed.status.winner, looks: undisturbed.status.looks });
});

test('a winner that is the root is said to be it, and nothing is handed out', { timeout: 600_000 }, async () => {
  const workspace = await openWorkspace();
  // The one finalist is over the limit by more than the root.
  const folder = await workspace.campaign('ledger', await splitCampaign(4, { finalists: 1, limit: 182 }));
  const ended = await workspace.run('run', folder);
  expectDone(ended);
  const { winner } = await workspace.ask<CampaignStatus>('status', 'ledger');
  expect(winner?.ordinal).toBe(0);
  expect(ended.stdout).toContain('the root is the winner: there is nothing to take home');
  const refused = await workspace.run('patch', 'ledger', '-o', join(workspace.dir, 'out'));
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('the root won the finals of "ledger"');
  expect(existsSync(join(workspace.dir, 'out'))).toBe(false);
});
