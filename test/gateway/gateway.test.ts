import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import {
  type Allowance,
  type CallRecord,
  clientOf,
  createBudget,
  createGates,
  createGateway,
  type GatewayOptions,
  type Provider,
} from '../../src/gateway/index.ts';
import { type ModelServer, type Script, startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';

const NEVER = new AbortController().signal;
const KEY = 'sk-very-secret-key';

function providerOf(server: ModelServer, changes: Partial<Provider> = {}): Provider {
  const prices = { m: { input: 1, cached: 0.5, output: 10 } };
  return { name: 'p', baseUrl: server.baseUrl, apiKeyEnv: 'KEY', prices, concurrency: 8, ...changes };
}

interface Setup extends Partial<Omit<GatewayOptions, 'providers'>> {
  readonly allowance?: Allowance;
  readonly deadline?: AbortSignal;
  readonly provider?: Partial<Provider>;
}

async function setup(script: Script, { allowance, deadline = NEVER, provider, ...options }: Setup = {}) {
  const server = await startModelServer(script);
  const calls: CallRecord[] = [];
  const gateway = createGateway({
    providers: [providerOf(server, provider)],
    environment: { KEY },
    onCall: async (call) => void calls.push(call),
    patience: { attempts: 3, backoffMs: 5 },
    ...options,
  });
  const budget = createBudget('budget.cost_usd', () => allowance ?? { costUsd: null, tokens: null });
  const ticket = gateway.issue({ campaignId: 1, ordinal: 7, role: 'coder', budgets: [budget], deadline });
  const client = new OpenAI({ apiKey: 'dummy', maxRetries: 0, ...clientOf(gateway, ticket, 'p') });
  const ask = () => client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
  const dispose = () => server[Symbol.asyncDispose]();
  return { server, calls, gateway, budget, ticket, client, ask, [Symbol.asyncDispose]: dispose };
}

const fine = { kind: 'answer', text: 'hello', usage: { input: 1000, cached: 400, output: 100 } } as const;
/** (600 × 1 + 400 × 0.5 + 100 × 10) / 10⁶ US dollars. */
const COST = 0.0018;

describe('a call', () => {
  test('gets the key in the place of what the caller sent, and is metered and priced', async () => {
    await using set = await setup([fine]);
    expect((await set.ask()).choices[0]?.message.content).toBe('hello');
    expect(set.server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(set.calls).toMatchObject([
      {
        ...{ campaignId: 1, ordinal: 7, role: 'coder', provider: 'p', wire: 'chat', model: 'm', status: 200 },
        usage: { inputTokens: 1000, cachedTokens: 400, outputTokens: 100, reportedCostUsd: null },
        attempts: 1,
        failure: null,
      },
    ]);
    expect(set.calls[0]?.costUsd).toBeCloseTo(COST, 10);
    expect(set.budget.spent).toEqual({ costUsd: set.calls[0]?.costUsd, tokens: 1100, unpriced: 0 });
    expect(set.budget.reserved).toEqual({ costUsd: 0, tokens: 0, unpriced: 0 });
  });

  test('streams, chat and responses alike', async () => {
    await using set = await setup([fine]);
    const chat = await set.client.chat.completions.create({
      ...{ model: 'm', messages: [], stream: true, stream_options: { include_usage: true } },
    });
    let text = '';
    for await (const chunk of chat) text += chunk.choices[0]?.delta.content ?? '';
    const response = await set.client.responses.create({ model: 'm', input: 'hi', stream: true });
    for await (const event of response) if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).toBe('hellohello');
    expect(set.calls.map(({ wire, usage }) => [wire, usage?.outputTokens])).toEqual([
      ['chat', 100],
      ['responses', 100],
    ]);
  });

  test('of a model without a price is counted as unpriced, and what the server says it cost is believed', async () => {
    const reported = JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content: 'x' } }],
      usage: { prompt_tokens: 5, completion_tokens: 1, cost: 0.25 },
    });
    await using set = await setup((_seen, index) => (index === 0 ? fine : { kind: 'raw', text: reported }), {
      provider: { prices: {} },
    });
    await set.ask();
    expect(set.calls[0]?.costUsd).toBeNull();
    expect(set.budget.spent).toMatchObject({ costUsd: 0, unpriced: 1 });
    await set.ask();
    expect(set.budget.spent).toMatchObject({ costUsd: 0.25, unpriced: 1 });
  });

  test('that is no model call, or has no ticket, goes nowhere', async () => {
    await using set = await setup([fine]);
    await expect(set.client.models.list()).rejects.toMatchObject({ status: 404 });
    set.gateway.revoke(set.ticket);
    await expect(set.ask()).rejects.toMatchObject({ status: 401 });
    expect(set.server.seen).toEqual([]);
  });
});

describe('what a provider may do wrong', () => {
  test.each([
    ['breaks the connection', { kind: 'hangUp' }],
    ['answers 500', { kind: 'status', status: 500 }],
    ['answers 529', { kind: 'status', status: 529 }],
    ['never answers', { kind: 'silent' }],
  ] as const)('%s: it is asked again, and given up after some attempts', async (_name, step) => {
    const patience = { attempts: 3, backoffMs: 5, answerMs: 100 };
    await using well = await setup((_seen, index) => (index === 0 ? step : fine), { patience });
    await well.ask();
    expect(well.calls).toMatchObject([{ attempts: 2, status: 200 }]);
    await using ill = await setup([step], { patience });
    await expect(ill.ask()).rejects.toMatchObject({ status: 400 });
    expect(ill.server.seen).toHaveLength(3);
    expect(ill.ticket.fault).toMatchObject({ kind: 'unreachable', provider: 'p' });
    expect(ill.budget.reserved.tokens).toBe(0);
  });

  test('falls silent or breaks off in the middle: the caller sees a broken answer, the call is booked', async () => {
    const long = { ...fine, text: 'x'.repeat(200) };
    const patience = { attempts: 1, silenceMs: 60 };
    for (const step of [
      { ...long, pauseMs: 500 },
      { ...long, breakAt: 3 },
    ]) {
      await using set = await setup([step], { patience });
      const read = async () => {
        for await (const _ of await set.client.responses.create({ model: 'm', input: 'hi', stream: true }));
      };
      await expect(read()).rejects.toThrow();
      expect(set.calls).toMatchObject([{ status: 200, usage: null, failure: expect.any(String) }]);
      expect(set.budget.reserved.tokens).toBe(0);
    }
  });

  test('trickles: the deadline of the proposal ends it', async () => {
    const deadline = new AbortController();
    await using set = await setup([{ ...fine, text: 'x'.repeat(2000), pauseMs: 20 }], { deadline: deadline.signal });
    const stream = await set.client.responses.create({ model: 'm', input: 'hi', stream: true });
    const read = async () => {
      for await (const event of stream) if (event.type === 'response.output_text.delta') deadline.abort();
    };
    await expect(read()).rejects.toThrow();
    expect(set.calls).toHaveLength(1);
  });

  test.each([
    ['401', { kind: 'status', status: 401 }],
    ['402', { kind: 'status', status: 402 }],
    ['429 for want of quota', { kind: 'status', status: 429, error: { code: 'insufficient_quota', message: 'pay' } }],
  ] as const)('%s: the provider is shut for everybody until somebody opens it', async (_name, step) => {
    await using set = await setup((_seen, index) => (index === 0 ? step : fine));
    await expect(set.ask()).rejects.toMatchObject({ status: 400 });
    expect(set.ticket.fault).toMatchObject({ kind: 'shut' });
    await expect(set.ask()).rejects.toMatchObject({ status: 400 });
    expect(set.server.seen).toHaveLength(1);
    set.gateway.open();
    await set.ask();
    expect(set.server.seen).toHaveLength(2);
  });

  test('a refusal of this request is handed on as it is', async () => {
    const error = { message: 'no such model', code: 'model_not_found' };
    await using set = await setup([{ kind: 'status', status: 404, error }]);
    await expect(set.ask()).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    expect(set.ticket.fault).toBeNull();
    expect(set.calls).toMatchObject([{ attempts: 1, failure: 'refused with 404' }]);
  });
});

test('429 with Retry-After: 7 to 8 callers: no request within 7 s, and all are served', async () => {
  const limit = { kind: 'status', status: 429, headers: { 'retry-after': '7' } } as const;
  await using set = await setup((_seen, index) => (index < 8 ? limit : fine));
  await Promise.all(Array.from({ length: 8 }, () => set.ask()));
  const times = set.server.seen.map(({ atMs }) => atMs);
  const [first = 0] = times;
  const refused = times.slice(0, 8);
  const later = times.slice(8);
  expect(later).toHaveLength(8);
  // Those that were under way together were refused together; after the last refusal nothing is sent for seven seconds.
  expect(Math.min(...later) - Math.max(...refused)).toBeGreaterThanOrEqual(6_990);
  expect(Math.max(...refused) - first).toBeLessThan(7_000);
  expect(set.calls).toHaveLength(8);
}, 60_000);

describe('the budget', () => {
  test('is reserved before a call, so that calls at the same time cannot overrun it', async () => {
    const allowance = { costUsd: null, tokens: 10_000 };
    await using set = await setup([{ ...fine, usage: { input: 10, output: 5 } }], { allowance });
    const ended = await Promise.allSettled(Array.from({ length: 4 }, () => set.ask()));
    // Each may come to 4,096 tokens of output and some of input: two fit.
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(set.server.seen).toHaveLength(2);
    expect(set.ticket.fault).toMatchObject({ kind: 'budget' });
    expect(set.budget.spent.tokens).toBe(30);
    await set.ask();
  });

  test('of money ends the calls when it is spent', async () => {
    await using set = await setup([fine], { allowance: { costUsd: 0.0845, tokens: null } });
    let made = 0;
    while (made < 100) {
      const done = await set.ask().then(
        () => true,
        () => false,
      );
      if (!done) break;
      made += 1;
    }
    expect(made).toBe(25); // the 25th finds 0.0413 left, and a call may come to 0.0410
    expect(set.budget.spent.costUsd).toBeCloseTo(made * COST, 10);
  });
});

test('a caller that goes away ends the call, which is booked', async () => {
  await using set = await setup([{ ...fine, text: 'x'.repeat(2000), pauseMs: 20 }]);
  const stream = await set.client.responses.create({ model: 'm', input: 'hi', stream: true });
  for await (const event of stream) if (event.type === 'response.output_text.delta') break;
  while (set.calls.length === 0) await sleep(5);
  expect(set.calls).toMatchObject([{ status: 200 }]);
  expect(set.budget.reserved.tokens).toBe(0);
});

test('no key is in what is recorded', async () => {
  await using set = await setup([fine]);
  await set.ask();
  const { request, response, ...rest } = set.calls[0] ?? {};
  const all = [JSON.stringify(rest), Buffer.from(request ?? []).toString(), Buffer.from(response ?? []).toString()];
  expect(all.join()).not.toContain(KEY);
});

describe('several campaigns of one process', () => {
  const limit = { kind: 'status', status: 429, headers: { 'retry-after': '1' } } as const;

  test('wait together for a provider that asked one of them to wait, and find it shut together', async () => {
    const gates = createGates();
    const steps: Step[] = [limit, fine, fine, { kind: 'status', status: 402 }];
    await using one = await setup((_seen, index) => steps[index] ?? fine, { gates });
    await using other = await setup([], { gates, provider: { baseUrl: one.server.baseUrl } });
    const asked = performance.now();
    await Promise.all([one.ask(), other.ask()]);
    expect(performance.now() - asked).toBeGreaterThanOrEqual(990);
    expect(one.server.seen).toHaveLength(3);
    await expect(one.ask()).rejects.toMatchObject({ status: 400 });
    await expect(other.ask()).rejects.toMatchObject({ status: 400 });
    expect(other.ticket.fault).toMatchObject({ kind: 'shut' });
    expect(one.server.seen).toHaveLength(4);
    other.gateway.open();
    await one.ask();
  });

  test('have a gate for each address and key', async () => {
    const gates = createGates();
    const provider = { name: 'p', baseUrl: 'http://a', apiKeyEnv: 'KEY', prices: {}, concurrency: 1 };
    const gate = gates.of(provider);
    expect(gates.of({ ...provider, name: 'q', concurrency: 2 })).toBe(gate);
    expect(gates.of({ ...provider, apiKeyEnv: 'OTHER' })).not.toBe(gate);
    expect(gates.of({ ...provider, baseUrl: 'http://b' })).not.toBe(gate);
    const [first] = await Promise.all([gate.enter(NEVER), gate.enter(NEVER)]);
    gates.of(provider); // one at a time again, once there is room
    const third = gate.enter(NEVER);
    first('answered');
    await expect(Promise.race([third, Promise.resolve('waits')])).resolves.toBe('waits');
  });
});
