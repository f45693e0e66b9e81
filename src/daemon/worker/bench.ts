import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { restoreCampaign } from '../../config/index.ts';
import { InfrastructureError } from '../../errors.ts';
import { type Bundle, unpackBundle } from '../../evaluator/index.ts';
import { reconcileWorktrees } from '../../git/index.ts';
import { campaignFolders, leftBehind, openWorkshop, type Workshop } from '../../pipeline/index.ts';
import { removeFolder } from '../../process/index.ts';
import { appendEvents, type CampaignRow, getBundle, hasBundle, type Store } from '../../store/index.ts';
import { createFaults, lastingFault } from '../faults.ts';
import { createFlights, type Flight } from '../flight.ts';
import { createHalt } from '../halt.ts';
import { createHolds } from '../holds.ts';
import { keepLeft } from '../recover/index.ts';
import { agentsOf, openWork, type WorkDeps } from '../work-session.ts';
import { type Slots, startWorkers } from '../workers.ts';

/** One campaign on this worker. */
export interface Bench {
  /** The campaign as it was when this was opened: a changed one is opened anew. */
  readonly row: CampaignRow;
  /** The fault of this machine that its work waits out; null while it gets through. */
  readonly fault: string | null;
  flights(): readonly Flight[];
  /** Takes no more work, waits for what runs, and closes. Called again it waits for the same. */
  end(): Promise<void>;
}

export interface BenchOptions {
  readonly workspace: string;
  readonly slots: Slots;
  /** Ends the work that runs: it goes back to its queue. */
  readonly interrupt: AbortSignal;
  readonly onWarning: (warning: string) => void;
}

/**
 * Opens a campaign from what the database and the shared hub have of it, and begins to work.
 * @throws InfrastructureError when something of it is not there (yet), ConfigurationError when this machine lacks what it needs.
 */
export async function openBench(
  deps: WorkDeps,
  row: CampaignRow,
  { workspace, slots, interrupt, onWarning }: BenchOptions,
): Promise<Bench> {
  const folders = campaignFolders(workspace, row.name);
  const bundle = { dir: join(folders.bundles, row.bundleHash), hash: row.bundleHash };
  await fetchBundle(deps.store, bundle);
  // The campaign's folder is elsewhere; what is looked up in it is in the pinned copy.
  const campaign = { ...restoreCampaign(row), directory: bundle.dir };
  const pinned = { root: { commit: row.rootCommit, tree: row.rootTree }, bundleHash: row.bundleHash };
  const workshop = await openWorkshop(workspace, campaign, pinned, bundle);
  await keepWhatIsLeft(deps.store, row.id, workshop);
  await removeFolder(folders.scratch);
  await reconcileWorktrees(workshop.hub);
  const work = await openWork(deps, { campaignId: row.id, workshop, agents: agentsOf(workshop) }, interrupt);
  await deps.queue.prepare(row.id);
  const flights = createFlights();
  const faults = { generate: createFaults(), evaluate: createFaults() };
  const missing = campaign.evaluator.hidden.map(({ path }) => path).filter((path) => !existsSync(path));
  if (missing.length > 0 && slots.evaluate > 0) {
    onWarning(`${row.name}: nothing is measured here, ${missing.join(', ')} is not on this machine`);
  }
  const lanes = await startWorkers(
    { session: work, flights, holds: createHolds(deps.store), faults, interrupt, wake: () => {} },
    { ...slots, evaluate: missing.length > 0 ? 0 : slots.evaluate },
  );
  const halt = createHalt(lanes, () => {});
  let ended: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await halt.begin();
    await work[Symbol.asyncDispose]();
  };
  return {
    row,
    get fault() {
      return lastingFault(Object.values(faults));
    },
    flights: () => flights.list(),
    end() {
      ended ??= close();
      return ended;
    },
  };
}

/** A worker that was killed left lanes on this machine, which nobody else can look at. */
async function keepWhatIsLeft({ db }: Pick<Store, 'db'>, campaignId: number, workshop: Workshop): Promise<void> {
  const { left, forget } = await leftBehind(workshop);
  if (left.length > 0) {
    await db.transaction().execute(async (trx) => {
      const interrupted = await keepLeft(trx, campaignId, left);
      await appendEvents(trx, [{ campaignId, kind: 'worker.reconciled', data: { host: hostname(), interrupted } }]);
    });
  }
  await forget();
}

async function fetchBundle({ db }: Pick<Store, 'db'>, bundle: Bundle): Promise<void> {
  if (existsSync(bundle.dir)) return;
  if (!(await hasBundle(db, bundle.hash))) {
    throw new InfrastructureError('the pinned evaluator is not in the database', {
      hint: 'the daemon puts it there when it next opens the campaign',
    });
  }
  await unpackBundle(getBundle(db, bundle.hash), bundle);
}
