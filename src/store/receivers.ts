import { type Kysely, sql, type Transaction } from 'kysely';
import type { EventRow, Tables } from './tables.ts';

/** The kinds of events that somebody may be told of; the index `events_told` has these alone. */
export const TOLD = ['campaign.best', 'campaign.paused', 'campaign.stopped', 'campaign.finished', 'fault'] as const;
export type Told = (typeof TOLD)[number];

/** Who is told of a campaign, and up to where he was. */
interface Place {
  readonly campaignId: number;
  /** Tells receivers apart, and is the same while what they are told changes. */
  readonly receiver: string;
}

/** Makes these the receivers of a campaign: new ones are told what happens from now on, others are forgotten. */
export async function setReceivers(
  trx: Transaction<Tables>,
  campaignId: number,
  receivers: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('receivers')
    .where('campaignId', '=', campaignId)
    .$if(receivers.length > 0, (query) => query.where('receiver', 'not in', receivers))
    .execute();
  if (receivers.length === 0) return;
  const latest = await trx
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('campaignId', '=', campaignId)
    .executeTakeFirst();
  const eventId = latest?.id ?? 0;
  await trx
    .insertInto('receivers')
    .values(receivers.map((receiver) => ({ campaignId, receiver, eventId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The first event of these kinds that a receiver was not told of yet; none for one that is not known. */
export async function nextToTell(
  db: Kysely<Tables>,
  { campaignId, receiver }: Place,
  kinds: readonly Told[],
): Promise<EventRow | undefined> {
  return (
    db
      .selectFrom('receivers')
      .innerJoin('events', (join) =>
        join.onRef('events.campaignId', '=', 'receivers.campaignId').onRef('events.id', '>', 'receivers.eventId'),
      )
      .selectAll('events')
      .where('receivers.campaignId', '=', campaignId)
      .where('receiver', '=', receiver)
      .where('kind', 'in', kinds)
      // Literals, by which the planner knows that the index has all that is asked for.
      .where(sql<boolean>`kind in (${sql.join(TOLD.map((kind) => sql.lit(kind)))})`)
      .orderBy('events.id')
      .limit(1)
      .executeTakeFirst()
  );
}

/** Notes that a receiver was told of everything up to an event. */
export async function noteTold(
  trx: Transaction<Tables>,
  { campaignId, receiver }: Place,
  eventId: number,
): Promise<void> {
  await trx
    .updateTable('receivers')
    .set({ eventId })
    .where('campaignId', '=', campaignId)
    .where('receiver', '=', receiver)
    .where('eventId', '<', eventId)
    .execute();
}

/** Who was the best at the time of an event: what the last `campaign.best` before it said. */
export async function bestBefore(
  db: Kysely<Tables>,
  campaignId: number,
  eventId: number,
): Promise<EventRow | undefined> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('id', '<', eventId)
    .where('kind', '=', 'campaign.best')
    .where(sql<boolean>`kind in (${sql.join(TOLD.map((kind) => sql.lit(kind)))})`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
