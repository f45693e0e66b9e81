import type { Kysely } from 'kysely';
import {
  type CampaignRow,
  countWaiting,
  type HeldWork,
  listCampaigns,
  listHeld,
  listWorkers,
  type Tables,
  type WorkerRow,
} from '../../store/index.ts';
import { lacking } from '../crew.ts';

/** A process that works on jobs; plain JSON. */
export interface WorkerView
  extends Pick<WorkerRow, 'id' | 'host' | 'pid' | 'label' | 'roles' | 'state' | 'version' | 'workspace'> {
  /** Since it was heard of last, by the clock of the database. The embedded one hears nothing. */
  readonly silentMs: number;
  /** What its machine suffers from, by the name of the campaign whose work meets it. */
  readonly faults: Readonly<Record<string, string>>;
  /** What it is at. */
  readonly holds: readonly Omit<HeldWork, 'worker'>[];
}

/** The processes that are not gone, in the order in which they came. */
export async function readWorkers(db: Kysely<Tables>): Promise<WorkerView[]> {
  const [workers, held, campaigns] = [await listWorkers(db), await listHeld(db), await listCampaigns(db)];
  const names = new Map(campaigns.map(({ id, name }) => [String(id), name]));
  return workers.map(({ heartbeatAt: _, startedAt: _started, faults, ...worker }) => ({
    ...worker,
    faults: Object.fromEntries(Object.entries(faults).map(([id, fault]) => [names.get(id) ?? id, fault])),
    holds: held.flatMap(({ worker: by, ...work }) => (by === worker.id ? [work] : [])),
  }));
}

/** What the work of a campaign waits for that nobody can do, in sentences. */
export async function readLacks(db: Kysely<Tables>, row: CampaignRow): Promise<string[]> {
  if (row.state !== 'running') return [];
  return lacking(row, await countWaiting(db, row.id), await listWorkers(db));
}
