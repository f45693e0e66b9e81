import type { Kysely } from 'kysely';
import { type CampaignRow, type EventRow, listEvents, type Tables } from '../../store/index.ts';

/** Something that happened; plain JSON. */
export interface EventView {
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: string;
  readonly ordinal: number | null;
  readonly data: EventRow['data'];
}

export interface EventQuery {
  /** The id of the last event seen; absent for the beginning. */
  readonly after?: number | undefined;
  readonly limit: number;
  /** The latest first. */
  readonly latest?: boolean | undefined;
}

export async function readEvents(db: Kysely<Tables>, row: CampaignRow, query: EventQuery): Promise<EventView[]> {
  const { after, limit, latest } = query;
  const order = latest === true ? 'descending' : 'ascending';
  const events = await listEvents(db, { campaignId: row.id, limit, order, ...(after === undefined ? {} : { after }) });
  return events.map(({ id, at, kind, ordinal, data }) => ({ id, at: at.toISOString(), kind, ordinal, data }));
}
