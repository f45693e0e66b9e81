import type { Campaign } from '../config/index.ts';
import type { Forecast, Probe, Span } from '../daemon/index.ts';
import { PRICES_AS_OF } from '../gateway/index.ts';
import type { Finding } from '../pipeline/index.ts';
import { duration, number } from './output.ts';

/** What a check says of the models: whether they answer, and what they will cost. */
export function modelFindings(campaign: Campaign, forecast: Forecast, probes: readonly Probe[]): Finding[] {
  return [...probes.map(probeFinding), ...costFindings(campaign, forecast)];
}

function probeFinding({ provider, model, wire, problem, durationMs, costUsd }: Probe): Finding {
  const who = `${provider}, ${model}`;
  if (problem !== null) return { subject: 'model', verdict: 'problem', text: `${who} by ${wire}: ${problem}` };
  const cost = costUsd === null ? 'of unknown price' : `for ${number(costUsd)} USD`;
  return { subject: 'model', verdict: 'fine', text: `${who} answers by ${wire} in ${duration(durationMs)}, ${cost}` };
}

function costFindings({ budget }: Campaign, forecast: Forecast): Finding[] {
  const { jobs, shares, tokens, costUsd, unpriced, affordable } = forecast;
  if (shares.length === 0) return [{ subject: 'cost', verdict: 'fine', text: 'no model is asked' }];
  const findings: Finding[] = shares.map((share) => ({
    subject: 'cost',
    verdict: 'fine',
    text: `${share.name} (${share.model ?? 'a model of its own choice'}): ${span(share.tokens)} tokens, ${money(share.costUsd)}; ${share.because}`,
  }));
  const sum = `${jobs} jobs: ${span(tokens)} tokens, ${money(costUsd)} by prices of ${PRICES_AS_OF} or your own`;
  const rest =
    unpriced.length === 0 ? '' : `; not in it, of unknown price: ${unpriced.join(', ')} (set providers.NAME.prices)`;
  findings.push({ subject: 'cost', verdict: unpriced.length === 0 ? 'fine' : 'warning', text: `${sum}${rest}` });
  if (affordable !== null) {
    const limit = [
      ...(budget.costUsd === null ? [] : [`${budget.costUsd} USD`]),
      ...(budget.tokens === null ? [] : [`${budget.tokens} tokens`]),
    ].join(' and ');
    const pays = affordable.low === affordable.high ? `${affordable.low}` : `${affordable.low} to ${affordable.high}`;
    const verdict = affordable.low < jobs ? 'warning' : 'fine';
    findings.push({ subject: 'budget', verdict, text: `${limit} pay for ${pays} of ${jobs} jobs` });
  } else if (budget.costUsd === null && costUsd.high > 0) {
    findings.push({ subject: 'budget', verdict: 'warning', text: 'no budget.cost_usd: nothing limits what is spent' });
  }
  return findings;
}

function money(cost: Span | null): string {
  return cost === null ? 'price unknown' : `${span(cost)} USD`;
}

/** Three digits are more than an estimate has. */
function span({ low, high }: Span): string {
  const [from, to] = [low, high].map((value) => Number(value.toPrecision(2)).toLocaleString('en-US'));
  return from === to ? `about ${from}` : `${from} to ${to}`;
}
