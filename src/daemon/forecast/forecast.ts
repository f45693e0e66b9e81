import type { Campaign, OpenaiConfig } from '../../config/index.ts';
import { costOf, type Price, priceOf } from '../../gateway/index.ts';
import { type ModelUser, modelUsers } from './users.ts';

/** From the least to the most that is expected. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** What one who asks a model will use in the jobs that are left. */
export interface Share {
  readonly role: ModelUser['role'];
  readonly name: string;
  readonly provider: string;
  readonly model: string | null;
  /** Input and output together. */
  readonly tokens: Span;
  /** US dollars; null when the price is unknown. */
  readonly costUsd: Span | null;
  /** What the numbers stand on. */
  readonly because: string;
}

/** What the models of a campaign will cost; plain JSON. */
export interface Forecast {
  /** Jobs that are left. */
  readonly jobs: number;
  readonly shares: readonly Share[];
  readonly tokens: Span;
  /** Of those whose price is known. */
  readonly costUsd: Span;
  /** Models whose price is unknown: they are in no sum of money. */
  readonly unpriced: readonly string[];
  /** Jobs that the budget of money or tokens pays for; null without one. */
  readonly affordable: Span | null;
}

/** What was used so far, by role and model. */
export interface Spent {
  readonly jobs: number;
  readonly models: readonly {
    readonly role: string;
    readonly provider: string;
    readonly model: string | null;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number;
    readonly unpriced: number;
  }[];
}

/** Jobs after which what was measured is trusted more than what is assumed. */
const ENOUGH_JOBS = 4;
const CHARACTERS_PER_TOKEN = 4;
/** A brief with evidence, diffs and failures; instructions and tools. */
const BRIEF_TOKENS: Span = { low: 2_000, high: 15_000 };
const TURNS: Span = { low: 5, high: 25 };
/** What a turn adds to the conversation: files that were read, outputs of commands. */
const TURN_TOKENS = 1_500;
const TURN_OUTPUT = 400;
const ANSWERS: Span = { low: 1, high: 3 };
const SHOWN_CHARACTERS = 150_000;
/** Agents of others: what they read is theirs to decide. */
const FOREIGN: { readonly input: Span; readonly output: Span } = {
  input: { low: 50_000, high: 1_000_000 },
  output: { low: 2_000, high: 20_000 },
};
const LESSONS = { input: { low: 2_000, high: 8_000 }, output: { low: 300, high: 1_200 } };

/**
 * Forecasts the model calls of the jobs that are left: from what was measured when enough jobs are settled, else from stated assumptions. Pure.
 * @param editable characters of the files that may be edited: a model that answers with whole files is shown them
 */
export function forecast(campaign: Campaign, spent: Spent, editable: number): Forecast {
  const { budget, agents } = campaign;
  const jobs = Math.max(0, budget.jobs - spent.jobs);
  const rounds = { low: 1, high: 1 + agents.rework + (agents.novelty > 0 ? 1 : 0) };
  const shares = modelUsers(campaign).map((user) => {
    const { provider, model, role, name } = user;
    const measured = spent.jobs >= ENOUGH_JOBS ? measuredShare(user, spent, jobs) : null;
    if (measured !== null) return { role, name, provider, model, ...measured };
    const { input, output, because } = assumed(user, editable);
    const times = scale(role === 'coder' ? rounds : ONE, jobs * user.share);
    const used = { input: product(input, times), output: product(output, times) };
    const prices = campaign.providers.find((server) => server.name === provider)?.prices ?? {};
    const price = model === null ? null : priceOf(model, prices);
    const tokens = { low: used.input.low + used.output.low, high: used.input.high + used.output.high };
    return { role, name, provider, model, tokens, costUsd: priced(used, price), because };
  });
  const tokens = sum(shares.map((share) => share.tokens));
  const costUsd = sum(shares.flatMap((share) => share.costUsd ?? []));
  const unpriced = [
    ...new Set(
      shares.flatMap(({ costUsd, model }) => (costUsd === null ? [model ?? 'a model of its own choice'] : [])),
    ),
  ];
  const used = {
    costUsd: spent.models.reduce((total, one) => total + one.costUsd, 0),
    tokens: spent.models.reduce((total, one) => total + one.inputTokens + one.outputTokens, 0),
  };
  return { jobs, shares, tokens, costUsd, unpriced, affordable: affordable(budget, { jobs, tokens, costUsd }, used) };
}

const ONE: Span = { low: 1, high: 1 };

function measuredShare(
  { role, provider, model }: ModelUser,
  { jobs: settled, models }: Spent,
  left: number,
): Pick<Share, 'tokens' | 'costUsd' | 'because'> | null {
  const mine = models.filter(
    (one) => one.role === role && one.provider === provider && (model === null || one.model === model),
  );
  if (mine.length === 0) return null;
  const each = (value: number): Span => ({ low: (value / settled) * left, high: (value / settled) * left });
  const tokens = mine.reduce((total, one) => total + one.inputTokens + one.outputTokens, 0);
  const known = mine.every(({ unpriced }) => unpriced === 0);
  return {
    tokens: each(tokens),
    costUsd: known ? each(mine.reduce((total, one) => total + one.costUsd, 0)) : null,
    because: `as the ${settled} jobs so far`,
  };
}

/** What one job takes of it. */
function assumed(
  { role, agent, wire }: ModelUser,
  editable: number,
): { readonly input: Span; readonly output: Span; readonly because: string } {
  if (wire === 'embeddings') {
    const input = { low: 200, high: 5_000 };
    return {
      input,
      output: { low: 0, high: 0 },
      because: 'the changed files of a candidate are embedded, the root once',
    };
  }
  if (role === 'lessons') return { ...LESSONS, because: 'one question each time the lessons are written' };
  if (agent?.kind !== 'openai') {
    return {
      ...FOREIGN,
      because:
        'an agent of others reads what it likes: 50,000 to a million tokens a job; after four jobs check goes by what they took',
    };
  }
  return agent.format === 'tools' ? byTools(agent) : inOneAnswer(agent, editable);
}

/** Every turn sends the whole conversation again. */
function byTools({ turns, contextTokens }: OpenaiConfig) {
  const conversation = (start: number, count: number): number => {
    const all = Array.from({ length: count }, (_, turn) => Math.min(contextTokens, start + turn * TURN_TOKENS));
    return all.reduce((total, one) => total + one, 0);
  };
  const [few, many] = [Math.min(TURNS.low, turns), Math.min(TURNS.high, turns)];
  return {
    input: { low: conversation(BRIEF_TOKENS.low, few), high: conversation(BRIEF_TOKENS.high, many) },
    output: { low: few * TURN_OUTPUT, high: many * TURN_OUTPUT },
    because: `${few} to ${many} turns, each with the whole conversation again, which grows by ${TURN_TOKENS} tokens a turn`,
  };
}

function inOneAnswer({ outputTokens }: OpenaiConfig, editable: number) {
  const shown = Math.ceil(Math.min(editable, SHOWN_CHARACTERS) / CHARACTERS_PER_TOKEN);
  const input = { low: BRIEF_TOKENS.low + shown, high: BRIEF_TOKENS.high + shown };
  const output = { low: Math.min(500, outputTokens), high: Math.min(4_000, outputTokens) };
  return {
    input: product(input, ANSWERS),
    output: product(output, ANSWERS),
    because: `${ANSWERS.low} to ${ANSWERS.high} answers to a brief with the files that may be edited`,
  };
}

function priced({ input, output }: { readonly input: Span; readonly output: Span }, price: Price | null): Span | null {
  const cost = (inputTokens: number, outputTokens: number): number | null =>
    costOf({ inputTokens, outputTokens, cachedTokens: 0, reportedCostUsd: null }, price);
  const [low, high] = [cost(input.low, output.low), cost(input.high, output.high)];
  return low === null || high === null ? null : { low, high };
}

function affordable(
  budget: Campaign['budget'],
  { jobs, tokens, costUsd }: Pick<Forecast, 'jobs' | 'tokens' | 'costUsd'>,
  used: { readonly costUsd: number; readonly tokens: number },
): Span | null {
  const limits: [left: number, use: Span][] = [];
  if (budget.costUsd !== null) limits.push([budget.costUsd - used.costUsd, costUsd]);
  if (budget.tokens !== null) limits.push([budget.tokens - used.tokens, tokens]);
  if (limits.length === 0 || jobs === 0) return null;
  const pays = (left: number, all: number): number =>
    all === 0 ? jobs : Math.min(jobs, Math.floor(Math.max(0, left) / (all / jobs)));
  return {
    low: Math.min(...limits.map(([left, { high }]) => pays(left, high))),
    high: Math.min(...limits.map(([left, { low }]) => pays(left, low))),
  };
}

const scale = (span: Span, by: number): Span => ({ low: span.low * by, high: span.high * by });
const product = (a: Span, b: Span): Span => ({ low: a.low * b.low, high: a.high * b.high });
const sum = (spans: readonly Span[]): Span =>
  spans.reduce((total, { low, high }) => ({ low: total.low + low, high: total.high + high }), { low: 0, high: 0 });
