import { databaseApi } from '../../src/daemon/index.ts';
import {
  countJobs,
  decidedTrials,
  findCampaign,
  getJob,
  history,
  listEvents,
  listPlacements,
  listProjections,
  listRevisions,
  openStore,
  type Store,
} from '../../src/store/index.ts';

/**
 * All that a campaign came to, without what may differ between two runs of it: times, ids, attempts, workers, and which of two equal
 * trees was measured first.
 */
export async function dumpCampaign(where: { workspace: string; databaseUrl?: string }, name: string) {
  const store = await openStore({ ...where, label: 'a test' });
  try {
    return await read(store, where.workspace, name);
  } finally {
    await store.close();
  }
}

export type Dump = Awaited<ReturnType<typeof dumpCampaign>>;

async function read({ db }: Store, workspace: string, name: string) {
  const campaign = await findCampaign(db, name);
  if (campaign === undefined) throw new Error(`there is no campaign ${name}`);
  const { id } = campaign;
  const api = databaseApi(db, workspace);
  const { budget, outcomes, failures, root, best, gain, state, cause } = await api.status(name);
  const projections = await listProjections(db, id, 0);
  const jobs = [];
  for (let ordinal = 0; ordinal <= budget.planned; ordinal += 1) jobs.push(await readJob({ db }, id, ordinal));
  const placements = [];
  for (const { epoch } of projections) {
    for (const { campaignId: _, ...row } of await listPlacements(db, { campaignId: id, island: 0, epoch }))
      placements.push(row);
  }
  return {
    state,
    cause,
    charged: { planned: budget.planned, settled: budget.settled },
    counts: await countJobs(db, id),
    outcomes,
    failures,
    root,
    best,
    gain,
    jobs,
    history: (await history(db, id, 0)).map((entry) => ({ ...entry, vector: [...entry.vector] })),
    projections: projections.map(({ epoch, settlement, payload }) => ({
      epoch,
      settlement,
      payload: Buffer.from(payload).toString('hex'),
    })),
    placements,
    archive: await api.archive(name),
    events: await eventsPerJob({ db }, id),
    trials: (await decidedTrials(db, id)).map(
      ({ campaignId: _, attempt: _a, worker: _w, startedAt: _s, finishedAt: _f, ...trial }) => ({
        ...trial,
        measurements: trial.measurements?.map(({ durationMs: _d, machine: _m, ...measurement }) => measurement),
      }),
    ),
  };
}

async function readJob({ db }: Pick<Store, 'db'>, campaignId: number, ordinal: number) {
  const { job, candidate, evaluations } = await getJob(db, campaignId, ordinal);
  const { campaignId: _, attempt: _a, worker: _w, queuedAt: _q, ...rest } = job;
  const { startedAt: _s, finishedAt: _f, settledAt: _e, tidiedAt: _t, ...kept } = rest;
  return {
    ...kept,
    revisions: (await listRevisions(db, campaignId, ordinal)).map(
      ({ campaignId: _c, madeAt: _m, ...revision }) => revision,
    ),
    candidate: candidate && {
      commit: candidate.commit,
      tree: candidate.tree,
      parent: candidate.parentCommit,
      paths: candidate.changedPaths,
      size: [candidate.files, candidate.added, candidate.deleted],
    },
    evaluations: evaluations.map(
      ({ split, state, status, kind, objectives, intervals, metrics, features, ...rest }) => ({
        ...{ split, state, status, kind, objectives, intervals, metrics, features },
        ...{ identity: rest.identity, summary: rest.summary, evidence: rest.evidence },
      }),
    ),
  };
}

/** How many events of each kind every job left, but for notes of what the machine did to a measurement. */
async function eventsPerJob({ db }: Pick<Store, 'db'>, campaignId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let after = 0; ; ) {
    const page = await listEvents(db, { campaignId, after, limit: 500 });
    for (const { kind, ordinal } of page) {
      if (ordinal === null || kind === 'evaluation.noted') continue;
      const key = `${String(ordinal).padStart(3, '0')} ${kind}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    const last = page.at(-1);
    if (last === undefined) return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
    after = last.id;
  }
}
