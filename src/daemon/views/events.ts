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
  /** The id of the last event seen; 0 for the beginning. */
  readonly after: number;
  readonly limit: number;
}

export async function readEvents(db: Kysely<Tables>, row: CampaignRow, query: EventQuery): Promise<EventView[]> {
  const events = await listEvents(db, { ...query, campaignId: row.id });
  return events.map(({ id, at, kind, ordinal, data }) => ({ id, at: at.toISOString(), kind, ordinal, data }));
}
