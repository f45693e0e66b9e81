import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { restoreCampaign } from '../../src/config/index.ts';
import { databaseApi } from '../../src/daemon/index.ts';
import { restore } from '../../src/daemon/restore.ts';
import { listRefs, openHub } from '../../src/git/index.ts';
import { findMarked, workspaceMark } from '../../src/process/index.ts';
import { elites } from '../../src/qd/index.ts';
import { findCampaign, type Store } from '../../src/store/index.ts';
import type { Host } from './host.ts';

/** Something that must hold at the end; `found` says what was there instead. */
export interface Check {
  readonly what: string;
  readonly holds: boolean;
  readonly found: string;
}

/** Looks at the ledger of a campaign that is over. */
export async function checkLedger(store: Store, workspace: string, hubs: string, jobs: number): Promise<Check[]> {
  const { db } = store;
  const row = await findCampaign(db, 'soak');
  if (row === undefined) throw new Error('there is no campaign');
  const none = async (what: string, query: ReturnType<typeof sql<{ one: string }>>): Promise<Check> => {
    const { rows } = await query.execute(db);
    return {
      what,
      holds: rows.length === 0,
      found: `${rows.length}: ${rows
        .slice(0, 5)
        .map(({ one }) => one)
        .join(', ')}`,
    };
  };
  const { id } = row;
  const api = databaseApi(db, workspace);
  const { budget } = await api.status('soak');
  const hub = await openHub(join(hubs, 'soak.git'));
  const refs = new Map(
    [...(await listRefs(hub, 'refs/clade/soak/'))].map(([ref, commit]) => [ref.split('/').at(-1) ?? '', commit]),
  );
  const candidates = await db
    .selectFrom('candidates')
    .select(['ordinal', 'commit'])
    .where('campaignId', '=', id)
    .execute();
  const unheld = candidates.filter(({ ordinal, commit }) => ordinal > 0 && refs.get(String(ordinal)) !== commit);
  const populations = await restore({ store, campaignId: id, campaign: restoreCampaign(row) });
  const folded = populations.flatMap(({ archive }) =>
    archive === null ? [] : elites(archive).map(({ cell, entry }) => `${cell}:${entry.ordinal}`),
  );
  const stored = (await api.archive('soak')).elites.map(({ cell, ordinal }) => `${cell}:${ordinal}`);
  return [
    {
      what: 'planned and settled are the budget',
      holds: budget.planned === jobs && budget.settled === jobs,
      found: JSON.stringify(budget),
    },
    await none(
      'every ordinal is settled',
      sql`
      select n::text as one from generate_series(0, ${jobs}::integer) as n
      where not exists (select 1 from jobs where campaign_id = ${id} and ordinal = n and state = 'settled')`,
    ),
    await none(
      'places in the settlement order are those from 0, each once',
      sql`
      select n::text as one from generate_series(0, ${jobs}::integer) as n
      where 1 <> (select count(*) from jobs where campaign_id = ${id} and settlement = n)`,
    ),
    await none(
      'every job was planned and settled by exactly one event each',
      sql`
      select kind || ' ' || n as one from generate_series(1, ${jobs}::integer) as n, (values ('job.planned'), ('job.settled')) as kinds (kind)
      where 1 <> (select count(*) from events where campaign_id = ${id} and events.kind = kinds.kind and ordinal = n)`,
    ),
    await none(
      'every candidate has one finished measurement',
      sql`
      select ordinal::text as one from candidates where campaign_id = ${id} and 1 <> (
        select count(*) from evaluations where campaign_id = ${id} and tree = candidates.tree and split = 'train' and state = 'done')`,
    ),
    await none(
      'no claim is open',
      sql`
      select ordinal::text as one from jobs where campaign_id = ${id} and state in ('queued', 'generating', 'generated')
      union all select tree from evaluations where campaign_id = ${id} and state <> 'done'`,
    ),
    {
      what: 'every candidate is held by its ref',
      holds: unheld.length === 0,
      found: unheld
        .slice(0, 5)
        .map(({ ordinal }) => ordinal)
        .join(', '),
    },
    {
      what: 'the archive is the fold of the ledger',
      holds: folded.toSorted().join() === stored.toSorted().join(),
      found: `${folded.length} and ${stored.length} members`,
    },
  ];
}

/** Looks at what is left of processes and folders after all have ended. */
export async function checkLeftovers(hosts: readonly Host[], torn: ReadonlySet<string>): Promise<Check[]> {
  const strays = hosts.flatMap(({ dir }) => findMarked(workspaceMark(dir)));
  const list = (path: string): Promise<string[]> => readdir(path).catch(() => []);
  const lost: string[] = [];
  const scratch: string[] = [];
  let lanes = 0;
  for (const { dir } of hosts) {
    const worktrees = join(dir, '.clade/hubs/soak.git/worktrees');
    for (const name of await list(worktrees)) {
      const checkout = dirname((await readFile(join(worktrees, name, 'gitdir'), 'utf8')).trim());
      if (existsSync(checkout)) lanes += 1;
      else if (![...torn].some((lane) => checkout === lane || checkout.startsWith(`${lane}/`))) lost.push(checkout);
    }
    const left = await readdir(join(dir, '.clade/scratch'), { recursive: true, withFileTypes: true }).catch(() => []);
    scratch.push(...left.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name)));
  }
  return [
    { what: 'no process is left', holds: strays.length === 0, found: strays.join(', ') },
    {
      what: `no worktree is registered but ${lanes} checkouts that lanes keep`,
      holds: lost.length === 0,
      found: lost.join(', '),
    },
    { what: 'no scratch file is left', holds: scratch.length === 0, found: scratch.join(', ') },
  ];
}
