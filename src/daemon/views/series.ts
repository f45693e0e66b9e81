import type { Kysely } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import { type CampaignRow, listSeries, type Outcome, type Tables } from '../../store/index.ts';

/** The outcomes by the numbers that stand for them in a series. */
const OUTCOMES = ['candidate', 'invalid', 'duplicate', 'no_change', 'failed'] as const satisfies readonly Outcome[];

/**
 * A page of the settled jobs in settlement order, as columns of equal length: what a chart of the primary objective is drawn from. Plain
 * JSON; numbers have the digits that people compare, see `compared`. The best so far at a row is the best of the scores up to it.
 */
export interface SeriesView {
  /** Of the first row; each one after it has the next place. */
  readonly settlement: number;
  readonly ordinals: readonly number[];
  /** Indices into `outcomeNames`. */
  readonly outcomes: readonly number[];
  readonly outcomeNames: readonly Outcome[];
  /** What the candidate ranks by now; null where it does not. */
  readonly scores: readonly (number | null)[];
  /** Ends of the intervals of the first measurements; null when the page has none. */
  readonly low: readonly (number | null)[] | null;
  readonly high: readonly (number | null)[] | null;
}

export interface SeriesQuery {
  /** The place in the settlement order after which the page begins; -1 for all from the root on. */
  readonly after: number;
  readonly limit: number;
}

export async function readSeries(
  db: Kysely<Tables>,
  row: CampaignRow,
  campaign: Campaign,
  query: SeriesQuery,
): Promise<SeriesView> {
  const [primary] = campaign.evaluator.objectives;
  const rows = await listSeries(db, row.id, primary?.name ?? '', query);
  const numbers = (values: readonly (number | null)[]) =>
    values.map((value) => (value === null ? null : compared(value)));
  const measured = rows.some(({ low, high }) => low !== null || high !== null);
  return {
    settlement: query.after + 1,
    ordinals: rows.map(({ ordinal }) => ordinal),
    outcomes: rows.map(({ outcome }) => OUTCOMES.indexOf(outcome)),
    outcomeNames: OUTCOMES,
    scores: numbers(rows.map(({ score }) => score)),
    low: measured ? numbers(rows.map(({ low }) => low)) : null,
    high: measured ? numbers(rows.map(({ high }) => high)) : null,
  };
}

/** A number with six digits, more where they are before the point: half the bytes of the exact one. */
export function compared(value: number): number {
  const size = Math.abs(value);
  return size >= 1e6 && size < 1e15 ? Math.round(value) : Number(value.toPrecision(6));
}
