import type { CampaignStatus } from '../views/status.ts';
import type { Metric, Sample } from './text.ts';

/** What the statuses of the campaigns say. Pure. */
export function campaignMetrics(statuses: readonly CampaignStatus[]): Metric[] {
  const each = (read: (status: CampaignStatus) => number | null): Sample[] =>
    statuses.flatMap((status) => {
      const value = read(status);
      return value === null ? [] : [{ labels: { campaign: status.name }, value }];
    });
  const models = (read: (totals: CampaignStatus['models'][number]) => number): Sample[] =>
    statuses.flatMap(({ name, models }) =>
      models.map((totals) => ({
        labels: { campaign: name, role: totals.role, provider: totals.provider, model: totals.model ?? '' },
        value: read(totals),
      })),
    );
  const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
    ...{ name, type: 'gauge', help, samples },
  });
  const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
    ...{ name, type: 'counter', help, samples },
  });
  return [
    gauge(
      'clade_campaign_state',
      '1 for the state that a campaign is in.',
      statuses.map(({ name, state }) => ({ labels: { campaign: name, state }, value: 1 })),
    ),
    gauge(
      'clade_campaign_running',
      '1 while this process works on the campaign.',
      each(({ running }) => Number(running)),
    ),
    gauge(
      'clade_in_flight',
      'Jobs that this process works on, by stage.',
      statuses.flatMap(({ name, inFlight }) =>
        [...Map.groupBy(inFlight, ({ stage }) => stage)].map(([stage, flights]) => ({
          labels: { campaign: name, stage },
          value: flights.length,
        })),
      ),
    ),
    gauge(
      'clade_budget_jobs',
      'Jobs that the budget allows.',
      each(({ budget }) => budget.jobs),
    ),
    counter(
      'clade_budget_jobs_used_total',
      'Jobs that the budget was charged for.',
      each(({ budget }) => budget.planned),
    ),
    counter(
      'clade_budget_wall_seconds_total',
      'Time that the wall budget was charged for.',
      each(({ budget }) => budget.wallMsUsed / 1000),
    ),
    gauge(
      'clade_best',
      'The best candidate by objective, as it ranks.',
      statuses.flatMap(({ name, best }) =>
        Object.entries(best?.scores ?? {}).map(([objective, value]) => ({
          labels: { campaign: name, objective },
          value,
        })),
      ),
    ),
    gauge(
      'clade_gain_ratio',
      'Relative gain of the best over the root in the primary objective.',
      each(({ gain }) => gain),
    ),
    gauge(
      'clade_archive_members',
      'Members of the archive.',
      each(({ archive }) => archive.members),
    ),
    counter(
      'clade_model_calls_total',
      'Model calls.',
      models(({ calls }) => calls),
    ),
    counter(
      'clade_model_input_tokens_total',
      'Tokens that models read.',
      models(({ inputTokens }) => inputTokens),
    ),
    counter(
      'clade_model_output_tokens_total',
      'Tokens that models wrote.',
      models(({ outputTokens }) => outputTokens),
    ),
    counter(
      'clade_model_cost_usd_total',
      'US dollars for model calls whose price is known.',
      models(({ costUsd }) => costUsd),
    ),
  ];
}
