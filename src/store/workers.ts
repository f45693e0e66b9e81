import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { toJson } from './json.ts';
import type { Tables, WorkerRole, WorkerRow } from './tables.ts';

/** A process as it presents itself. */
export interface NewWorker {
  readonly host: string;
  readonly label: string;
  /** Absolute folder on that host. */
  readonly workspace: string;
  readonly pid: number;
  readonly version: string;
  readonly roles: readonly WorkerRole[];
}

/** Registers a process that will work on jobs; returns its id, which every claim of it names. */
export async function registerWorker(db: Kysely<Tables>, worker: NewWorker): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('workers')
    .values({ ...worker, id, roles: toJson(worker.roles) })
    .execute();
  return id;
}

/**
 * Says that a worker lives, and what it waits for. False when it is taken for dead: its claims are void, so it must end its work and
 * register anew.
 */
export async function beat(db: Kysely<Tables>, id: string, faults: Readonly<Record<string, string>>): Promise<boolean> {
  const result = await db
    .updateTable('workers')
    .set({ heartbeatAt: sql<Date>`now()`, faults: toJson(faults) })
    .where('id', '=', id)
    .where('state', '<>', 'gone')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Takes no more work, but still does what it has. */
export async function startDraining(db: Kysely<Tables>, id: string): Promise<void> {
  await db
    .updateTable('workers')
    .set({ state: 'draining' })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .execute();
}

/** Says goodbye. */
export async function retireWorker(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable('workers').set({ state: 'gone' }).where('id', '=', id).execute();
}

/**
 * Declares workers dead that were not heard of for `silenceSeconds`, by the clock of the database: how far the clocks of hosts are apart does
 * not matter. Returns their ids.
 */
export async function buryWorkers(db: Kysely<Tables>, silenceSeconds: number): Promise<string[]> {
  const rows = await db
    .updateTable('workers')
    .set({ state: 'gone' })
    .where('state', '<>', 'gone')
    .where('heartbeatAt', '<', sql<Date>`now() - make_interval(secs => ${silenceSeconds})`)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Declares the earlier workers of a workspace dead: whoever holds its lock knows that their processes are. Returns their ids. */
export async function buryPredecessors(
  db: Kysely<Tables>,
  { host, workspace }: { readonly host: string; readonly workspace: string },
): Promise<string[]> {
  const rows = await db
    .updateTable('workers')
    .set({ state: 'gone' })
    .where('state', '<>', 'gone')
    .where('host', '=', host)
    .where('workspace', '=', workspace)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The workers that are not gone, in the order in which they came. */
export async function listWorkers(db: Kysely<Tables>): Promise<(WorkerRow & { readonly silentMs: number })[]> {
  return db
    .selectFrom('workers')
    .selectAll()
    .select(sql<number>`round(1000 * extract(epoch from now() - heartbeat_at))::double precision`.as('silentMs'))
    .where('state', '<>', 'gone')
    .orderBy('startedAt')
    .orderBy('id')
    .execute();
}

/** Who measures: a worker, and what it measures like. */
export interface Claimant {
  readonly worker: string;
  readonly label: string;
}

/** A row where the campaign may be measured under this label: nobody has measured it yet, or somebody of the same label has. */
export function measuredUnder(db: Kysely<Tables>, campaignId: number, label: string) {
  return db
    .selectFrom('campaigns')
    .select('id')
    .where('id', '=', campaignId)
    .where((eb) => eb.or([eb('label', 'is', null), eb('label', '=', label)]));
}

/** Binds a campaign to the label under which its root is measured; from then on it stays. */
export async function bindLabel(db: Kysely<Tables>, campaignId: number, label: string): Promise<void> {
  await db.updateTable('campaigns').set({ label }).where('id', '=', campaignId).where('label', 'is', null).execute();
}

/** Pieces of work that wait to be claimed, by who does such work. */
export type Waiting = Readonly<Record<WorkerRole, number>>;

export async function countWaiting(db: Kysely<Tables>, campaignId: number): Promise<Waiting> {
  const { generate, evaluate, trials } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('jobs')
        .select(eb.fn.countAll<number>().as('jobs'))
        .where('campaignId', '=', campaignId)
        .where('state', '=', 'queued')
        .where('settlement', 'is', null)
        .as('generate'),
      eb
        .selectFrom('evaluations')
        .select(eb.fn.countAll<number>().as('evaluations'))
        .where('campaignId', '=', campaignId)
        .where('state', '=', 'pending')
        .as('evaluate'),
      eb
        .selectFrom('trials')
        .select(eb.fn.countAll<number>().as('trials'))
        .where('campaignId', '=', campaignId)
        .where('state', '=', 'pending')
        .as('trials'),
    ])
    .executeTakeFirstOrThrow();
  return { generate: generate ?? 0, evaluate: (evaluate ?? 0) + (trials ?? 0) };
}

/** What a worker has claimed and not ended. */
export interface HeldWork {
  readonly worker: string;
  readonly campaign: string;
  readonly ordinal: number;
  readonly stage: WorkerRole;
}

/** What the workers are at, by campaign and ordinal. */
export async function listHeld(db: Kysely<Tables>): Promise<HeldWork[]> {
  const held = await Promise.all([
    db
      .selectFrom('jobs')
      .innerJoin('campaigns', 'campaigns.id', 'jobs.campaignId')
      .select([
        'jobs.worker',
        'campaigns.name as campaign',
        'jobs.ordinal',
        sql.lit<WorkerRole>('generate').as('stage'),
      ])
      .where('jobs.state', '=', 'generating')
      .where('jobs.settlement', 'is', null)
      .execute(),
    db
      .selectFrom('evaluations')
      .innerJoin('campaigns', 'campaigns.id', 'evaluations.campaignId')
      .select([
        'evaluations.worker',
        'campaigns.name as campaign',
        'evaluations.ordinal',
        sql.lit<WorkerRole>('evaluate').as('stage'),
      ])
      .where('evaluations.state', '=', 'running')
      .execute(),
  ]);
  return held
    .flat()
    .flatMap(({ worker, ...work }) => (worker === null ? [] : [{ worker, ...work }]))
    .sort((a, b) => a.campaign.localeCompare(b.campaign, 'en') || a.ordinal - b.ordinal);
}
