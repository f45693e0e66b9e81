import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBudget, type Spending } from '../../src/gateway/index.ts';

const amount = fc.record({
  costUsd: fc.integer({ min: 0, max: 40 }).map((cents) => cents / 100),
  tokens: fc.integer({ min: 0, max: 400 }),
});
const call = fc.record({ estimate: amount, really: amount, ends: fc.boolean(), job: fc.integer({ min: 0, max: 2 }) });

/** Calls of three jobs under one campaign, some of which end at once, the others at last. */
test('calls at the same time never overrun a budget by more than they used beyond what was set aside for them', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), amount, amount, (calls, whole, each) => {
      const spent: Spending[] = [];
      const beyond = { costUsd: 0, tokens: 0 };
      const campaign = createBudget('campaign', () => whole);
      const jobs = [0, 1, 2].map((job) => createBudget(`job ${job}`, () => each));
      const open: (() => void)[] = [];
      for (const { estimate, really, ends, job } of calls) {
        const own = jobs[job];
        if (own === undefined) throw new Error('there are three jobs');
        const asked = { ...estimate, unpriced: 0 };
        const first = campaign.reserve(asked);
        const second = first === null ? null : own.reserve(asked);
        if (first === null || second === null) {
          first?.settle({ costUsd: 0, tokens: 0, unpriced: 0 });
          continue;
        }
        const end = () => {
          const used = { ...really, unpriced: 0 };
          first.settle(used);
          second.settle(used);
          first.settle(used); // once is enough
          spent.push(used);
          beyond.costUsd += Math.max(0, really.costUsd - estimate.costUsd);
          beyond.tokens += Math.max(0, really.tokens - estimate.tokens);
        };
        if (ends) end();
        else open.push(end);
        const booked = campaign.spent.tokens + campaign.reserved.tokens;
        expect(booked).toBeLessThanOrEqual(whole.tokens + beyond.tokens);
      }
      for (const end of open) end();
      const sum = (of: 'costUsd' | 'tokens') => spent.reduce((total, one) => total + one[of], 0);
      expect(campaign.spent.tokens).toBe(sum('tokens'));
      expect(campaign.spent.costUsd).toBeCloseTo(sum('costUsd'), 9);
      expect(jobs.reduce((total, job) => total + job.spent.tokens, 0)).toBe(sum('tokens'));
      for (const budget of [campaign, ...jobs]) expect(budget.reserved.tokens).toBe(0);
      expect(campaign.spent.tokens).toBeLessThanOrEqual(whole.tokens + beyond.tokens);
      expect(campaign.spent.costUsd).toBeLessThanOrEqual(whole.costUsd + beyond.costUsd + 1e-9);
    }),
  );
});
