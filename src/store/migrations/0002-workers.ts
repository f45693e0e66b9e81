import { type Kysely, sql } from 'kysely';

/** Many processes, on one machine or several, work on a campaign. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table campaigns add column label text, add column lead integer not null default 0`,
  `alter table jobs add column worker text`,
  `alter table evaluations add column worker text`,
  `alter table trials add column worker text`,
  // Processes that work on jobs.
  `create table workers (
    id text primary key,
    host text not null,
    label text not null,
    workspace text not null,
    pid integer not null,
    version text not null,
    roles jsonb not null,
    state text not null default 'active' check (state in ('active', 'draining', 'gone')),
    fault text,
    started_at timestamptz not null default now(),
    heartbeat_at timestamptz not null default now()
  )`,
  `create index workers_alive on workers (heartbeat_at) where state <> 'gone'`,
  // Pinned evaluators for workers on other machines, as archives in pieces.
  `create table bundles (
    hash text not null,
    position integer not null,
    content bytea not null,
    made_at timestamptz not null default now(),
    primary key (hash, position)
  )`,
  `create index events_faults on events (campaign_id) where kind = 'fault'`,
];
