import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Campaign } from '../../src/config/index.ts';
import { isDue } from '../../src/daemon/rework/due.ts';
import { evidenceOf } from '../../src/daemon/rework/evidence.ts';
import { type Court, settleReady } from '../../src/daemon/settle.ts';
import { createTally } from '../../src/daemon/tally.ts';
import {
  claimEvaluation,
  claimJob,
  type EvaluationResult,
  finishEvaluation,
  getJob,
  listEvents,
  listRevisions,
  planJobs,
  recordStage,
  recordStanding,
  type Store,
  type Unsettled,
  unsettled,
} from '../../src/store/index.ts';
import { campaignIn, SIGNAL, temporary } from '../pipeline/fixture.ts';
import { generate, measure } from '../store/life.ts';
import { aRefusal, BY, plans } from '../store/sample.ts';
import { describeDatabases } from '../support/databases.ts';
import { court, live } from './court.ts';

const refusal = (kind: string): EvaluationResult => ({ ...aRefusal(), kind }) as EvaluationResult;

describeDatabases('rework', (databases) => {
  let store: Store;
  let campaign: Campaign;

  beforeEach(async () => {
    store = await databases.open();
    const file = await campaignIn(await temporary(), {
      evaluatorKeys: 'remeasure: {jump: 0}',
      search: 'schedule: {size: 8}',
    });
    campaign = { ...file, agents: { ...file.agents, rework: 2 } };
  });

  /** A root that is settled, and jobs of batch 1 that are planned. */
  async function begun(jobs: number, changes: Partial<Campaign> = {}) {
    const sent: unknown[] = [];
    const session: Court = {
      ...(await court(store, { ...campaign, ...changes })),
      queue: { enqueue: async (_trx, kind, _id, payloads) => void sent.push(kind, ...payloads) },
    };
    const { islands } = await live(session, store, [], [], 1);
    const { campaignId } = session;
    const memory = { islands, tally: createTally() };
    await store.db.transaction().execute((trx) =>
      planJobs(
        trx,
        campaignId,
        plans(1, jobs).map((job) => ({ ...job, batch: 1 })),
      ),
    );
    const told: number[] = [];
    const settle = () =>
      settleReady(session, memory, { onSettled: ({ ordinal }) => void told.push(ordinal), signal: SIGNAL });
    const job = async (ordinal: number) => (await getJob(store.db, campaignId, ordinal)).job;
    return { session, campaignId, settle, told, sent, job };
  }

  test('what fails build or test goes back at once, though others of its batch are not done', async () => {
    const { campaignId, settle, told, sent, job } = await begun(3);
    await generate(store, campaignId, 2);
    await measure(store, campaignId, 't2', refusal('build'));
    expect((await settle()).settled).toBe(0);
    expect(await job(2)).toMatchObject({ state: 'queued', round: 1 });
    expect(sent).toEqual(['generate', { campaignId, ordinal: 2 }]);
    expect(await listRevisions(store.db, campaignId, 2)).toMatchObject([
      { cause: 'rework', reason: 'build: red', evidence: 'assertion failed' },
    ]);
    const [event] = await listEvents(store.db, { campaignId, after: 0, limit: 50 }).then((all) =>
      all.filter(({ kind }) => kind === 'job.reworked'),
    );
    expect(event).toMatchObject({ ordinal: 2, data: { round: 1, cause: 'rework', reason: 'build: red' } });
    // Once is enough, and nothing is settled past it.
    expect((await settle()).settled).toBe(0);
    await generate(store, campaignId, 1);
    await measure(store, campaignId, 't1', refusal('gate'));
    expect((await settle()).settled).toBe(1);
    expect(told).toEqual([1]);
    expect(sent).toHaveLength(2);
  });

  test('a job that is settled had no way back: whatever becomes of a batch, in whatever order', async () => {
    const kinds = ['build', 'test', 'gate', 'valid'] as const;
    const fates = fc.array(fc.array(fc.constantFrom(...kinds, 'stands'), { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(fates, fc.infiniteStream(fc.nat()), async (jobs, dice) => {
        const { campaignId, settle, told, job } = await begun(jobs.length);
        const pick = <T>(from: readonly T[]) => from[(dice.next().value ?? 0) % from.length];
        for (;;) {
          const open = [];
          for (const [index] of jobs.entries()) {
            const row = await job(index + 1);
            if (row.state === 'queued') open.push(row);
          }
          const next = pick(open);
          if (next === undefined) break;
          const { ordinal, round } = next;
          const fate = jobs[ordinal - 1]?.[round] ?? 'valid';
          if (fate === 'stands' && round > 0) {
            const claim = await claimJob(store.db, campaignId, ordinal, 'w');
            if (claim === undefined) throw new Error('a queued job can be claimed');
            await store.db.transaction().execute((trx) => recordStanding(trx, claim, {}));
          } else {
            const tree = `j${ordinal}-${round}`;
            await generate(store, campaignId, ordinal, tree);
            const verdict = fate === 'stands' ? 'build' : fate;
            await measure(store, campaignId, tree, verdict === 'valid' ? aValid(ordinal) : refusal(verdict));
          }
          if ((dice.next().value ?? 0) % 2 === 0) while ((await settle()).more);
          else await settle();
        }
        while ((await settle()).more);
        expect(told).toEqual(jobs.map((_, index) => index + 1));
        for (const [index, fates] of jobs.entries()) {
          const { round, outcome } = await job(index + 1);
          expect([index, round]).toEqual([index, roundsOf(fates)]);
          expect(outcome).toBe('invalid');
        }
      }),
      { numRuns: 15 },
    );
  });

  test('a failing tree of two jobs of a batch goes back in both, one that was settled before in none', async () => {
    const { session, campaignId, settle, job } = await begun(2);
    for (const ordinal of [1, 2]) await generate(store, campaignId, ordinal, 'same');
    await measure(store, campaignId, 'same', refusal('test'));
    await settle();
    expect([(await job(1)).round, (await job(2)).round]).toEqual([1, 1]);
    for (const ordinal of [1, 2]) {
      const claim = await claimJob(store.db, campaignId, ordinal, 'w');
      if (claim === undefined) throw new Error('a job that came back can be claimed');
      await store.db.transaction().execute((trx) => recordStanding(trx, claim, {}));
    }
    while ((await settle()).more);
    expect([(await job(1)).outcome, (await job(2)).outcome]).toEqual(['invalid', 'duplicate']);
    await store.db.transaction().execute((trx) =>
      planJobs(
        trx,
        session.campaignId,
        plans(3, 3).map((one) => ({ ...one, batch: 3 })),
      ),
    );
    await generate(store, campaignId, 3, 'same');
    while ((await settle()).more);
    expect(await job(3)).toMatchObject({ outcome: 'duplicate', duplicateOf: 1, round: 0 });
  });

  test('evidence is what the evaluator gave and the end of what its failing step printed', async () => {
    const { campaignId } = await begun(1);
    await generate(store, campaignId, 1);
    const claim = await claimEvaluation(store.db, { campaignId, tree: 't1', split: 'train' }, BY);
    if (claim === undefined) throw new Error('no evaluation to claim');
    const stage = { objectives: {}, metrics: {}, durationMs: 1, isolation: 3, peakMemoryBytes: null, evidence: '' };
    await store.db.transaction().execute(async (trx) => {
      const passed = { ...stage, position: 0, name: 'build', kind: 'build', status: 'passed', summary: '' } as const;
      await recordStage(trx, claim, { ...passed, stdoutTail: 'compiled', stderrTail: '' });
      const failed = { ...passed, position: 1, name: 'test', kind: 'test', status: 'failed' } as const;
      await recordStage(trx, claim, { ...failed, stdoutTail: `${'x'.repeat(9_000)}not ok 3\n`, stderrTail: ' \n' });
      await finishEvaluation(trx, claim, refusal('test'));
    });
    const evidence = await evidenceOf(store.db, { campaignId, tree: 't1' });
    expect(evidence).toMatch(/^assertion failed\n\nThe end of its output:\n\nx+not ok 3$/);
    expect(evidence.length).toBeLessThan(4_100);
  });

  test('the rule', async () => {
    const { campaignId } = await begun(1);
    await generate(store, campaignId, 1);
    await measure(store, campaignId, 't1', refusal('build'));
    const [row] = await unsettled(store.db, campaignId);
    if (row === undefined) throw new Error('job 1 is not settled');
    const past = { reworked: 0, stands: false, repeats: false };
    expect(isDue(row, past, 1)).toBe(true);
    const never: [Partial<Unsettled>, Partial<typeof past>, number][] = [
      [{}, {}, 0],
      [{}, { reworked: 1 }, 1],
      [{}, { stands: true }, 2],
      [{}, { repeats: true }, 2],
      [{ kind: 'seed' }, {}, 2],
      [{ kind: 'minimised' }, {}, 2],
      [{ state: 'generating' }, {}, 2],
      [{ state: 'settled' }, {}, 2],
      [{ evaluationState: 'running' }, {}, 2],
      [{ status: 'valid' }, {}, 2],
      [{ invalidKind: 'benchmark' }, {}, 2],
      [{ invalidKind: 'crash' }, {}, 2],
      [{ tree: null }, {}, 2],
    ];
    for (const [change, other, most] of never) {
      expect([change, other, isDue({ ...row, ...change }, { ...past, ...other }, most)]).toEqual([
        change,
        other,
        false,
      ]);
    }
  });
});

/** Refused for another reason than one that can be mended: it needs no vector to be settled. */
function aValid(_ordinal: number): EvaluationResult {
  return refusal('benchmark');
}

/** Rounds that a job has, by what its evaluator says of each: it may come back twice, and no more once it stands. */
function roundsOf(fates: readonly string[]): number {
  for (const [round, fate] of fates.entries()) {
    if (round === 2) return 2;
    if (fate === 'stands' && round > 0) return round;
    if (fate === 'gate' || fate === 'valid') return round;
  }
  return 0;
}
