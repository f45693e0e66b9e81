import { describe, expect, test } from 'vitest';
import { type Campaign, parseCampaign } from '../../../src/config/index.ts';
import { forecast, type Spent } from '../../../src/daemon/index.ts';
import { yamlWith } from '../../config/file.ts';

const PROVIDERS = {
  fake: { base_url: 'http://127.0.0.1:1/v1', api_key_env: null, prices: { m: { input: 1, output: 10 } } },
};
const MODEL = { kind: 'openai', provider: 'fake', model: 'm' };
const NEW: Spent = { jobs: 0, models: [] };

function campaignWith(agents: object, budget: object = { jobs: 10 }): Campaign {
  const { campaign, errors } = parseCampaign(yamlWith({ agents, providers: PROVIDERS, budget }), '/w/c/campaign.yaml');
  if (campaign === null) throw new Error(errors.map(({ message }) => message).join());
  return campaign;
}

describe('the cost of a campaign that has not begun', () => {
  test('is nothing where no model is asked', () => {
    const none = forecast(campaignWith({ coder: 'mutate' }), NEW, 1000);
    expect(none).toMatchObject({ shares: [], tokens: { low: 0, high: 0 }, unpriced: [], affordable: null });
  });

  test('of an agent with tools grows with the conversation, which is sent again each turn', () => {
    const { shares, costUsd } = forecast(campaignWith({ coder: { ...MODEL, turns: 10 } }), NEW, 0);
    // 5 turns from 2,000 tokens: 5 × 2,000 + 1,500 × (0 + 1 + 2 + 3 + 4) = 25,000, and 5 × 400 out; ten jobs.
    // 10 turns from 15,000: 150,000 + 1,500 × 45 = 217,500, and 4,000 out.
    expect(shares).toMatchObject([{ role: 'coder', tokens: { low: 10 * 27_000, high: 10 * 221_500 } }]);
    expect(costUsd.low).toBeCloseTo(10 * (25_000 * 1 + 2_000 * 10) * 1e-6, 10);
    expect(costUsd.high).toBeCloseTo(10 * (217_500 * 1 + 4_000 * 10) * 1e-6, 10);
  });

  test('of one that answers once counts the files that it is shown, as many as there is room for', () => {
    const campaign = campaignWith({ coder: { ...MODEL, format: 'whole', output_tokens: 100 } });
    expect(forecast(campaign, NEW, 40_000).tokens.low).toBe(10 * (2_000 + 10_000 + 100));
    expect(forecast(campaign, NEW, 1e9).tokens.low).toBe(10 * (2_000 + 37_500 + 100));
  });

  test('shares jobs out by weight, adds planner and lessons, and counts rework as possible', () => {
    const coder = { ...MODEL, format: 'whole', output_tokens: 100 };
    const ensemble = [
      { name: 'a', weight: 3, coder },
      { name: 'b', weight: 1, coder: 'mutate' },
    ];
    const plain = forecast(campaignWith({ ensemble }), NEW, 0);
    expect(plain.shares.map(({ name }) => name)).toEqual(['a']);
    expect(plain.tokens.low).toBe(7.5 * 2_100);
    const more = forecast(campaignWith({ ensemble, planner: MODEL, rework: 2, brief: { lessons_every: 5 } }), NEW, 0);
    expect(more.shares.map(({ role }) => role)).toEqual(['planner', 'coder', 'lessons']);
    expect(more.shares[1]?.tokens.low).toBe(7.5 * 2_100);
    expect(more.shares[1]?.tokens.high).toBe(3 * (plain.shares[0]?.tokens.high ?? 0));
    expect(more.shares[2]?.tokens.low).toBe(2 * 2_300);
  });

  test('says which price is unknown, and leaves it out of the sum', () => {
    const { shares, unpriced, costUsd } = forecast(campaignWith({ coder: { ...MODEL, model: 'x' } }), NEW, 0);
    expect(shares).toMatchObject([{ model: 'x', costUsd: null }]);
    expect({ unpriced, costUsd }).toEqual({ unpriced: ['x'], costUsd: { low: 0, high: 0 } });
    const preset = { kind: 'command', preset: 'codex', provider: 'fake' };
    expect(forecast(campaignWith({ coder: preset }), NEW, 0).unpriced).toEqual(['a model of its own choice']);
  });

  test('tells for how many jobs the budget is enough', () => {
    const coder = { ...MODEL, turns: 10 };
    // 0.045 to 0.2575 USD a job.
    const limited = (budget: object) => forecast(campaignWith({ coder }, { jobs: 10, ...budget }), NEW, 0).affordable;
    expect(limited({ cost_usd: 0.3 })).toEqual({ low: 1, high: 6 });
    expect(limited({ cost_usd: 100 })).toEqual({ low: 10, high: 10 });
    expect(limited({ cost_usd: 100, tokens: 54_000 })).toEqual({ low: 0, high: 2 });
    expect(limited({})).toBeNull();
  });
});

test('a campaign under way is forecast by what its jobs used', () => {
  const spent: Spent = {
    jobs: 4,
    models: [
      {
        role: 'coder',
        provider: 'fake',
        model: 'm',
        inputTokens: 4_000,
        outputTokens: 400,
        costUsd: 0.008,
        unpriced: 0,
      },
      {
        role: 'embedding',
        provider: 'embedding',
        model: 'e',
        inputTokens: 9,
        outputTokens: 0,
        costUsd: 1,
        unpriced: 0,
      },
    ],
  };
  const campaign = campaignWith({ coder: MODEL }, { jobs: 10, cost_usd: 1.02 });
  const { jobs, shares, costUsd, affordable } = forecast(campaign, spent, 0);
  expect({ jobs, shares }).toMatchObject({
    jobs: 6,
    shares: [{ tokens: { low: 6_600, high: 6_600 }, because: expect.stringContaining('4 jobs') }],
  });
  expect(costUsd.low).toBeCloseTo(0.012, 10);
  // 1.008 of 1.02 USD is gone: 0.002 a job.
  expect(affordable).toEqual({ low: 6, high: 6 });
  expect(forecast(campaign, { ...spent, jobs: 3 }, 0).shares[0]?.because).toContain('turns');
});
