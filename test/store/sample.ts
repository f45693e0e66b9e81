import type { MachineLoad } from '../../src/process/index.ts';
import { type CandidateRecord, createCampaign, type EvaluationResult, type Store } from '../../src/store/index.ts';

/** A registered campaign; returns its id. */
export async function aCampaign(store: Store, name = 'sample'): Promise<number> {
  const row = await createCampaign(store.db, {
    name,
    frozen: { goal: 'faster', Objectives_Kept: [1, 2] },
    live: { concurrency: 2 },
    directory: `/campaigns/${name}`,
    rootCommit: 'c0',
    rootTree: 't0',
    bundleHash: 'b0',
  });
  return row.id;
}

export function aCandidate(ordinal: number, tree = `t${ordinal}`): CandidateRecord {
  return {
    commit: `c${ordinal}`,
    tree,
    parentCommit: 'c0',
    files: 1,
    added: 2,
    deleted: 3,
    changedPaths: ['a.c'],
    title: `job ${ordinal}`,
    summary: null,
    brief: 'the brief',
    transcript: 'the transcript',
    usage: { tokens: 12 },
  };
}

export function aResult(speed: number, identity: string | null = null): EvaluationResult {
  return {
    status: 'valid',
    objectives: { speed },
    intervals: { speed: [speed - 1, speed + 1] },
    scores: { speed },
    metrics: {},
    features: {},
    identity,
    summary: 'fine',
    evidence: null,
    stdoutTail: '',
    stderrTail: '',
    durationMs: 12.5,
    isolation: 3,
  };
}

export function aRefusal(): EvaluationResult {
  return {
    status: 'invalid',
    kind: 'test',
    summary: 'red',
    evidence: 'assertion failed',
    stdoutTail: '',
    stderrTail: '',
    durationMs: 3,
    isolation: null,
  };
}

/** Plans jobs from `first` to `last` on the root. */
export function plans(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    ordinal: first + index,
    island: 0,
    base: 0,
    inspirations: [],
    decision: { reason: 'warmup' },
    batch: 0,
  }));
}

/** What else a machine did that did nothing else. */
export const QUIET: MachineLoad = { host: 'test', cpu: null, load1: [0, 0], otherBusy: 0, stolen: 0 };

/** Whoever claims in these tests; no worker that lives. */
export const BY = { worker: 'w', label: 'here' } as const;
