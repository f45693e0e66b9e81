import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignStatus, JobView } from '../../src/daemon/index.ts';
import { git } from '../fixtures/awkward.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** Prints what stands in result.json; a candidate without it has crashed. */
const EVALUATE = '#!/bin/sh\ncat result.json > "$CLADE_RESULT" || exit 3\n';
const CAMPAIGN = (jobs: number) => `target: {repository: ./target, edit: [result.json]}
goal: less loss
evaluator: {command: [./evaluate.sh], objectives: [{name: loss, direction: minimize}], remeasure: {jump: 0}}
agents: {coder: {kind: command, command: ["/bin/true"]}}
search: {schedule: {size: 1}}
budget: {jobs: ${jobs}}
`;

const valid = (loss: string): string => `{"status": "valid", "objectives": {"loss": ${loss}}}\n`;

/** What candidates say of themselves, with what becomes of them. */
const CANDIDATES: readonly [name: string, result: string, fate: Partial<JobView>][] = [
  ['better, and negative', valid('-12.5'), { outcome: 'candidate' }],
  ['worse', valid('3'), { outcome: 'candidate' }],
  ['nought, which is neither', valid('0'), { outcome: 'candidate' }],
  ['not a number', valid('NaN'), { outcome: 'invalid', failureKind: 'malformed' }],
  ['less than anything', valid('-1e999'), { outcome: 'invalid', failureKind: 'malformed' }],
  ['a number in quotes', valid('"-99"'), { outcome: 'invalid', failureKind: 'malformed' }],
  ['true', valid('true'), { outcome: 'invalid', failureKind: 'malformed' }],
  ['another objective', '{"status": "valid", "objectives": {"gain": -99}}\n', { outcome: 'invalid' }],
  [
    'refused, with a number',
    '{"status": "invalid", "kind": "gate", "objectives": {"loss": -99}}\n',
    { outcome: 'invalid' },
  ],
  [
    'of two values the last',
    '{"status": "valid", "objectives": {"loss": -99, "loss": -2}}\n',
    { outcome: 'candidate' },
  ],
];

test('faults 4 and 5: what is no finite number is malformed; low is good, and no failure ranks above a number', async () => {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('loss', {
    'evaluate.sh': EVALUATE,
    'target/result.json': valid('1'),
    'campaign.yaml': CAMPAIGN(1),
  });
  const target = join(folder, 'target');
  await git(target, ['init', '-q', '-b', 'main']);
  await git(target, ['add', '-A']);
  await git(target, ['commit', '-q', '-m', 'Root']);
  for (const [index, [, result]] of CANDIDATES.entries()) {
    await git(target, ['checkout', '-q', '-b', `c${index}`, 'main']);
    await writeFile(join(target, 'result.json'), result);
    await git(target, ['commit', '-q', '-a', '-m', `Candidate ${index}`]);
  }
  await git(target, ['checkout', '-q', 'main']);
  // The agent changes nothing: its one job is spent, and then come the commits.
  expectDone(await workspace.run('run', folder));
  await workspace.ask('seed', 'loss', ...CANDIDATES.map((_candidate, index) => `c${index}`));
  await writeFile(join(folder, 'campaign.yaml'), CAMPAIGN(1 + CANDIDATES.length));
  expectDone(await workspace.run('run', folder));

  const jobs = await workspace.ask<JobView[]>('jobs', 'loss');
  const fates = new Map(jobs.map((job) => [job.title, job]));
  for (const [index, [name, , fate]] of CANDIDATES.entries()) {
    expect(fates.get(`Candidate ${index}`), name).toMatchObject(fate);
  }
  const status = await workspace.ask<CampaignStatus>('status', 'loss');
  expect(status).toMatchObject({ best: { title: 'Candidate 0', objectives: { loss: -12.5 } }, beatsRoot: true });
  expect(status.outcomes).toMatchObject({ candidate: 4, invalid: 6 });
});
