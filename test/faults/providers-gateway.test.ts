/** Faults 18 at the gateway: what a call that went wrong must not leave behind. */
import { expect, test } from 'vitest';
import { type CallRecord, clientOf, createBudget, createGateway, type Ticket } from '../../src/gateway/index.ts';
import { type Script, startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';

const NEVER = new AbortController().signal;
const FINE: Step = { kind: 'answer', text: 'hello' };

/** One call at a time, so that a place that is not given back is missed by the next. */
async function setup(script: Script) {
  const server = await startModelServer(script);
  const calls: CallRecord[] = [];
  const gateway = createGateway({
    providers: [{ name: 'p', baseUrl: server.baseUrl, apiKeyEnv: null, prices: {}, concurrency: 1 }],
    environment: {},
    onCall: async (call) => void calls.push(call),
    patience: { attempts: 2, backoffMs: 5, answerBytes: 100_000 },
  });
  const budget = createBudget('budget', () => ({ costUsd: null, tokens: null }));
  const issue = (deadline: AbortSignal = NEVER) =>
    gateway.issue({ campaignId: 1, ordinal: 1, role: 'coder', budgets: [budget], deadline });
  const ask = async (ticket: Ticket): Promise<Response> => {
    const { baseURL, fetch } = clientOf(gateway, ticket, 'p');
    const body = JSON.stringify({ model: 'm', messages: [], stream: true });
    return fetch(`${baseURL}/chat/completions`, { method: 'POST', body });
  };
  return { server, calls, budget, issue, ask, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const isFine = async (response: Response): Promise<void> => expect(await response.text()).toContain('hello');

test('a deadline that comes before the answer gives the place back, and is the fault of the provider', async () => {
  await using set = await setup((_seen, index) => (index === 0 ? { kind: 'silent' } : FINE));
  const late = set.issue(AbortSignal.timeout(200));
  expect((await set.ask(late)).status).toBe(400);
  expect(late.fault).toMatchObject({ kind: 'unreachable', provider: 'p' });
  await isFine(await set.ask(set.issue()));
  expect(set.budget.reserved.tokens).toBe(0);
});

test('a deadline that comes in the middle of the first answer is one too; after another answer it is not', async () => {
  const slow: Step = { kind: 'answer', text: 'x'.repeat(4_000), pauseMs: 20 };
  await using set = await setup((_seen, index) => (index === 1 ? FINE : slow));
  const first = set.issue(AbortSignal.timeout(200));
  await expect((await set.ask(first)).text()).rejects.toThrow();
  expect(first.fault).toMatchObject({ kind: 'unreachable' });
  const second = set.issue(AbortSignal.timeout(500));
  await isFine(await set.ask(second));
  await expect((await set.ask(second)).text()).rejects.toThrow();
  expect(second.fault).toBeNull();
});

test('an answer that nobody reads gives the place back when the time is over, and is booked', async () => {
  await using set = await setup([{ ...FINE, text: 'hello'.repeat(100), pauseMs: 20 }]);
  const late = new AbortController();
  await set.ask(set.issue(late.signal));
  late.abort();
  await isFine(await set.ask(set.issue()));
  expect(set.calls).toHaveLength(2);
  expect(set.budget.reserved.tokens).toBe(0);
});

test.each<[string, Step]>([
  ['nothing', { kind: 'status', status: 204 }],
  ['a page', { kind: 'raw', type: 'text/html', text: '<html>' }],
])('%s with a good status is no answer: it is asked again, and given up', async (_name, step) => {
  await using well = await setup((_seen, index) => (index === 0 ? step : FINE));
  await isFine(await well.ask(well.issue()));
  await using ill = await setup([step]);
  const ticket = ill.issue();
  expect((await ill.ask(ticket)).status).toBe(400);
  expect(ticket.fault).toMatchObject({ kind: 'unreachable' });
});

test('an answer without end is broken off; a good one after that makes up for it', async () => {
  const endless: Step = { kind: 'flow', type: 'text/event-stream', text: `: ${'-'.repeat(1_000)}\n\n` };
  await using set = await setup((_seen, index) => (index === 0 ? endless : FINE));
  const ticket = set.issue();
  await expect((await set.ask(ticket)).text()).rejects.toThrow();
  expect(set.calls[0]?.response.byteLength).toBeLessThan(200_000);
  expect(ticket.fault).toMatchObject({ kind: 'unreachable' });
  await isFine(await set.ask(ticket));
  expect(ticket.fault).toBeNull();
});
