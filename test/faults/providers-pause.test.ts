/** Faults 18: a provider that does not get well pauses the campaign with its cause and burns no job; a rate limit loses none. */
import { expect, test } from 'vitest';
import type { CampaignStatus, JobView } from '../../src/daemon/index.ts';
import { goodModel, modelCampaign } from '../fixtures/model-server/campaign.ts';
import { type Seen, startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
const CODER = 'coder: {kind: openai, provider: fake, model: m, output_tokens: 100, timeout';

interface Trouble {
  readonly step: Step;
  readonly cause: string;
}

const closed = (status: number): Trouble => ({
  step: { kind: 'status', status, error: { message: `no entry ${status}` } },
  cause: `no entry ${status}`,
});

/** What does not end by itself, one after the other until all is well, and how long a proposal may take meanwhile. */
const TROUBLES: readonly { readonly troubles: readonly Trouble[]; readonly timeout: string }[] = [
  { troubles: [401, 402, 403].map(closed), timeout: '60s' },
  { troubles: [{ step: { kind: 'status', status: 502 }, cause: 'it answered 502' }], timeout: '60s' },
  { troubles: [{ step: { kind: 'silent' }, cause: 'gave no whole answer' }], timeout: '1s' },
];

test('faults 18: who does not get well pauses the campaign and burns no job; the same jobs go on', async () => {
  // They wait most of the time.
  await Promise.all(
    TROUBLES.map(async ({ troubles, timeout }) => {
      const good = goodModel();
      let ill: Step | null = null;
      await using server = await startModelServer((seen) => ill ?? good(seen));
      const workspace = await openWorkspace({ FAKE_KEY: 'key' });
      const campaign = (time: string) =>
        modelCampaign(workspace, server, { agents: `${CODER}: ${time}}`, size: 2, jobs: 2 });
      const folder = await campaign(timeout);
      for (const { step, cause } of troubles) {
        const asked = server.seen.length;
        ill = step;
        const { code, stdout } = await workspace.run('run', folder);
        expect({ code, stdout }).toEqual({
          code: 1,
          stdout: expect.stringMatching(new RegExp(`^paused: .*${cause}`, 'm')),
        });
        // Nobody goes on knocking: both workers may have asked before the first was answered.
        if (step.kind === 'status' && step.status < 500) expect(server.seen.length - asked).toBeLessThanOrEqual(2);
      }
      ill = null;
      await campaign('60s');
      expectDone(await workspace.run('run', folder));
      const jobs = await workspace.ask<JobView[]>('jobs', 'pack');
      const outcomes = jobs.map(({ ordinal, outcome }) => [ordinal, outcome]).toSorted();
      expect(outcomes).toEqual([0, 1, 2].map((ordinal) => [ordinal, 'candidate']));
    }),
  );
}, 180_000);

/** Seconds; with `CLADE_TEST_RETRY_AFTER` others. */
const RETRY_AFTER = Number(process.env.CLADE_TEST_RETRY_AFTER ?? 2);

test('429 with Retry-After to 8 workers: nothing within the wait, one probe, then the rest, and no job lost', {
  timeout: 60_000,
}, async () => {
  const good = goodModel();
  let limitedUntilMs = Number.POSITIVE_INFINITY;
  const served: Seen[] = [];
  await using server = await startModelServer((seen) => {
    // Those under way together are refused together.
    if (limitedUntilMs === Number.POSITIVE_INFINITY) limitedUntilMs = seen.atMs + RETRY_AFTER * 1_000;
    if (seen.atMs < limitedUntilMs) {
      return { kind: 'status', status: 429, headers: { 'retry-after': `${RETRY_AFTER}` } };
    }
    served.push(seen);
    const answer = good(seen);
    return answer.kind === 'answer' ? { ...answer, pauseMs: served.length === 1 ? 100 : 0 } : answer;
  });
  const workspace = await openWorkspace({ FAKE_KEY: 'key' });
  const folder = await modelCampaign(workspace, server, { agents: `concurrency: 8, ${CODER}: 60s}`, size: 8, jobs: 8 });
  expectDone(await workspace.run('run', folder));
  const refusedMs = server.seen.slice(0, -served.length).map(({ atMs }) => atMs);
  const servedMs = served.map(({ atMs }) => atMs);
  const [probe = 0, second = 0] = servedMs;
  expect(refusedMs.length).toBeLessThanOrEqual(8);
  expect(probe - Math.max(...refusedMs)).toBeGreaterThanOrEqual(RETRY_AFTER * 1_000 - 10);
  // Its answer takes four pauses at least.
  expect(second - probe).toBeGreaterThanOrEqual(390);
  expect(servedMs).toHaveLength(16);
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(status).toMatchObject({ state: 'finished', outcomes: { candidate: 8, failed: 0 }, calls: { calls: 16 } });
  if (process.env.CLADE_TEST_RETRY_AFTER !== undefined) {
    const round = (ms: number): number => Math.round(ms);
    console.log({ refusedMs: refusedMs.map(round), servedMs: servedMs.map(round) });
  }
});
