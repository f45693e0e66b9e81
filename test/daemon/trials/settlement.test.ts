import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Campaign } from '../../../src/config/index.ts';
import { leaderOf } from '../../../src/daemon/best.ts';
import { recall } from '../../../src/daemon/memory.ts';
import { restore } from '../../../src/daemon/restore.ts';
import { untriedLeader } from '../../../src/daemon/settle.ts';
import { replay } from '../../../src/qd/index.ts';
import {
  bestCandidates,
  decidedTrials,
  listEvents,
  listPlacements,
  type Store,
  type TrialMeasurement,
} from '../../../src/store/index.ts';
import { campaignIn, temporary } from '../../pipeline/fixture.ts';
import { QUIET } from '../../store/sample.ts';
import { describeDatabases } from '../../support/databases.ts';
import { court, type Fresh, fates, live, shapes, verdicts } from '../court.ts';

const remeasures = fc.constantFrom(
  { incumbent: false, jump: 0.5 },
  { incumbent: true, jump: 0 },
  { incumbent: true, jump: 0.5 },
);

/** What is measured again is decided by who and in which trial; now and then it fails. */
function freshBy(salt: number): Fresh {
  return (ordinal, trial): TrialMeasurement => {
    const dice = (ordinal * 31 + trial * 17 + salt * 7) % 23;
    const kept = { ordinal, summary: 'red', identity: null, durationMs: 1, isolation: 0, machine: QUIET };
    if (dice % 6 === 5) return { ...kept, status: 'invalid', kind: 'test' };
    const speed = dice - 9;
    const intervals = dice % 2 === 0 ? { speed: [speed - 2, speed + 1] as const } : {};
    return { ...kept, status: 'valid', objectives: { speed }, intervals, scores: { speed } };
  };
}

describeDatabases('settlement with trials', (databases) => {
  let store: Store;
  let campaign: Campaign;

  beforeEach(async () => {
    store = await databases.open();
    campaign = await campaignIn(await temporary());
  });

  test('is the same whoever finished first; what is restored, also of any earlier time, is what was there', async () => {
    let trials = 0;
    let retrials = 0;
    let failures = 0;
    let [changes, taken] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fates, remeasures, fc.nat({ max: 22 })),
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 2 }),
        async ([jobs, remeasure, salt], dice, pause, width) => {
          const { search, evaluator } = campaign;
          const tuned: Campaign = {
            ...campaign,
            evaluator: { ...evaluator, remeasure },
            search: { ...search, islands: { count: width, migrateEvery: 0 } },
          };
          const inOrder = jobs.map((_, index) => index);
          const shuffled = inOrder
            .map((index) => ({ index, key: dice.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ index }) => index);
          const [calm, wild] = [await court(store, tuned), await court(store, tuned)];
          const fresh = freshBy(salt);
          const looks = new Map<number, ReturnType<typeof shapes>>();
          const leaders: number[] = [];
          const [primary] = evaluator.objectives;
          if (primary === undefined) throw new Error('no objective');
          const onRest: Parameters<typeof live>[5] = {
            fresh,
            onRest: ({ settled, memory }) => {
              const leader = leaderOf(memory.tally, primary)?.ordinal ?? 0;
              if (leader !== (leaders.at(-1) ?? 0)) leaders.push(leader);
              // A time at which nothing may be planned is none that an explanation goes back to.
              if (untriedLeader(tuned, memory.tally) === null)
                looks.set(settled, structuredClone(shapes(memory.islands)));
            },
          };
          const first = await live(calm, store, jobs, inOrder, 1, onRest);
          const second = await live(wild, store, jobs, shuffled, pause, { fresh });

          expect(await verdicts(wild)).toEqual(await verdicts(calm));
          expect(shapes(second.islands)).toEqual(shapes(first.islands));
          expect(second.told).toEqual(first.told);
          expect(second.tally).toEqual(first.tally);
          const memory = await recall(wild);
          expect(shapes(memory.islands)).toEqual(shapes(second.islands));
          expect(memory.tally).toEqual(second.tally);
          expect([...memory.tally.candidates.keys()]).toEqual([...second.tally.candidates.keys()]);
          for (const [settled, look] of looks) expect(shapes(await restore(calm, settled))).toEqual(look);

          for (const [island, { archive, history, epoch }] of second.islands.entries()) {
            if (archive === null) continue;
            const { placements } = replay({ ...search, objectives: evaluator.objectives }, archive.projection, history);
            const rows = await listPlacements(store.db, { campaignId: wild.campaignId, island, epoch });
            const plain = rows.map(({ ordinal, verdict, reason, cell, evicted }) => ({
              ordinal,
              verdict,
              reason,
              cell,
              evicted,
            }));
            expect(plain).toEqual(
              placements.map(({ ordinal, verdict, reason, cell, evicted }) => ({
                ordinal,
                verdict,
                reason,
                cell,
                evicted,
              })),
            );
          }

          const decided = await decidedTrials(store.db, wild.campaignId);
          const challengers = decided.map(({ challenger }) => challenger);
          expect(new Set(challengers).size).toBe(challengers.length);
          trials += decided.length;
          retrials += decided.filter(({ retrial }) => retrial).length;
          failures += decided.filter(({ challengerScores }) => challengerScores === null).length;
          const { best } = second.tally;
          if (remeasure.incumbent) expect(best?.fresh).toBe(true);
          const told = await bests(calm.campaignId);
          expect(await bests(wild.campaignId)).toEqual(told);
          // Each tells a change, and none is left out.
          expect(told.map(({ before }) => before)).toEqual([0, ...told.map(({ ordinal }) => ordinal)].slice(0, -1));
          expect(told.filter(({ ordinal, before }) => ordinal === before)).toEqual([]);
          expect(told.at(-1)?.ordinal ?? 0).toBe(leaderOf(second.tally, primary)?.ordinal ?? 0);
          expect(told.map(({ ordinal }) => ordinal).filter((ordinal) => leaders.includes(ordinal))).toEqual(leaders);
          changes += told.length;
          taken += told.filter(({ ordinal }) => ordinal === 0).length;
          const [ranked] = await bestCandidates(store.db, wild.campaignId, primary, 1);
          expect([ranked?.ordinal, ranked?.scores]).toEqual([best?.ordinal, best?.scores]);
          expect(await kinds(wild.campaignId)).toEqual({ begun: decided.length, decided: decided.length });
        },
      ),
      { numRuns: 14, seed: 20261201 },
    );
    // Of all that can happen something did.
    expect(trials).toBeGreaterThan(10);
    expect(retrials).toBeGreaterThan(0);
    expect(failures).toBeGreaterThan(0);
    expect(changes).toBeGreaterThan(10);
    expect(taken).toBeGreaterThan(0);
  });

  test('a trial that takes the lead from a candidate tells who has it then', async () => {
    // By ordinal, what is measured one after the other.
    const speeds = [[0], [3, 0.6, 1.8], [-5], [1]];
    const fresh: Fresh = (ordinal) => {
      const speed = speeds[ordinal]?.shift() ?? 0;
      const kept = { ordinal, summary: '', identity: null, durationMs: 1, isolation: 0, machine: QUIET };
      return { ...kept, status: 'valid', objectives: { speed }, intervals: {}, scores: { speed } };
    };
    const evaluator = { ...campaign.evaluator, remeasure: { incumbent: true, jump: 0 } };
    const session = await court(store, { ...campaign, evaluator });
    const made = [3, 2, 8].map((tree) => ({ kind: 'made', tree }) as const);
    const { tally } = await live(session, store, made, [0, 1, 2], 1, { fresh });
    expect(tally.best?.ordinal).toBe(1);
    const told = (await bests(session.campaignId)).map(({ before, ordinal }) => [before, ordinal]);
    // The third makes the first look worse than the second, which then fails its own trial.
    expect(told).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
    ]);
  });

  /** The changes of the best that were told. */
  async function bests(campaignId: number) {
    const events = await listEvents(store.db, { campaignId, after: 0, limit: 1000 });
    return events
      .filter(({ kind }) => kind === 'campaign.best')
      .map(({ ordinal, data }) => ({ ordinal: ordinal ?? -1, ...(data as { before: number; gain: number | null }) }));
  }

  async function kinds(campaignId: number) {
    const events = await listEvents(store.db, { campaignId, after: 0, limit: 1000 });
    const count = (kind: string) => events.filter((event) => event.kind === kind).length;
    return { begun: count('trial.begun'), decided: count('trial.decided') };
  }
});
