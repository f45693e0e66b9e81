import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecording } from '../../src/agent/index.ts';
import type { CandidateView, JobView } from '../../src/daemon/index.ts';
import { expectDone, workspaces } from '../support/workspace.ts';
import { CAMPAIGNS } from './run.ts';

const openWorkspace = workspaces();
const NAME = 'circle-packing-recorded';
const JOBS = 12;

test('the bundled recording is whole, and its campaign makes what was recorded', async () => {
  const recording = openRecording(join(CAMPAIGNS, NAME, 'recording'));
  expect(recording.head).toMatchObject({ campaign: NAME, proposals: 400, coders: [{ kind: 'mutate' }] });
  const workspace = await openWorkspace();
  expectDone(await workspace.run('run', join(CAMPAIGNS, NAME), '--jobs', `${JOBS}`));
  const jobs = await workspace.ask<JobView[]>('jobs', NAME);
  expect(jobs).toHaveLength(JOBS + 1);
  for (const { ordinal, title } of jobs.filter(({ kind }) => kind === 'generate')) {
    expect(title).toBe(recording.find(ordinal, 0)?.title);
  }
  const last = await workspace.ask<CandidateView>('show', `${NAME}:${JOBS}`);
  expect(last.tree).toBe(recording.find(JOBS, 0)?.tree);
});
