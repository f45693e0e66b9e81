import { type Kysely, sql, type Transaction } from 'kysely';
import { toJson } from './json.ts';
import type { EventRow, Tables } from './tables.ts';

export interface NewEvent {
  readonly campaignId: number | null;
  /** `job.settled`, `campaign.paused`, … */
  readonly kind: string;
  readonly ordinal?: number | null;
  readonly data?: unknown;
}

/** Any number that no other advisory lock of the database uses. */
const EVENT_LOCK = 0x636c6164;

/** Where events are announced as they are committed: the campaign's id (`-` for none) and the kinds, with spaces between. See `bell.ts`. */
export const EVENT_CHANNEL = 'clade_events';

/**
 * Appends events, last in a transaction, and announces them. The advisory lock is held until commit: without it a transaction could be given
 * id 7, commit after id 8 was read, and be missed by every reader that pages.
 */
export async function appendEvents(trx: Transaction<Tables>, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ campaignId, kind, ordinal, data }) => ({
    campaign_id: campaignId,
    kind,
    ordinal: ordinal ?? null,
    data: data ?? {},
  }));
  await sql`
    with turn as materialized (select pg_advisory_xact_lock(${EVENT_LOCK}::bigint)),
    written as (
      insert into events (campaign_id, kind, ordinal, data)
      select made.campaign_id, made.kind, made.ordinal, made.data
      from turn, rows from (jsonb_to_recordset(${toJson(rows)}::jsonb)
        as (campaign_id integer, kind text, ordinal integer, data jsonb)) with ordinality
        as made (campaign_id, kind, ordinal, data, position)
      order by made.position
      returning campaign_id, kind
    )
    select pg_notify(${EVENT_CHANNEL}, coalesce(campaign_id::text, '-') || ' ' || string_agg(distinct kind, ' '))
    from written group by campaign_id
  `.execute(trx);
}

export interface EventPage {
  /** The id of the last event of the page before this one. */
  readonly after?: number;
  readonly limit: number;
  readonly campaignId?: number;
  /** By default the oldest first. */
  readonly order?: 'ascending' | 'descending';
}

export async function listEvents(db: Kysely<Tables>, page: EventPage): Promise<EventRow[]> {
  const { after, campaignId } = page;
  const descending = page.order === 'descending';
  return db
    .selectFrom('events')
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', descending ? '<' : '>', after ?? 0))
    .$if(campaignId !== undefined, (query) => query.where('campaignId', '=', campaignId ?? null))
    .orderBy('id', descending ? 'desc' : 'asc')
    .limit(page.limit)
    .execute();
}
