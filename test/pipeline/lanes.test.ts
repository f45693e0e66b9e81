import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLanes } from '../../src/pipeline/index.ts';

test('a lane is never used twice at a time, the lowest free one is used, and all work is done', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ ms: fc.integer({ min: 0, max: 3 }), fails: fc.boolean() }), { maxLength: 20 }),
      async (count, jobs) => {
        const lanes = createLanes(count);
        const used = new Set<number>();
        const order: number[] = [];
        const results = await Promise.allSettled(
          jobs.map(({ ms, fails }, index) =>
            lanes.use(async (lane) => {
              order.push(index);
              expect(lane).toBeLessThan(count);
              expect(used).not.toContain(lane);
              expect([...Array(lane).keys()].every((lower) => used.has(lower))).toBe(true);
              used.add(lane);
              await sleep(ms);
              used.delete(lane);
              if (fails) throw new Error('this job fails');
            }),
          ),
        );
        expect(results.map((result) => result.status === 'rejected')).toEqual(jobs.map((job) => job.fails));
        expect(order).toEqual(jobs.map((_, index) => index));
      },
    ),
    { numRuns: 30 },
  );
});
