/** What the tests of `evaluator/` share: a campaign of one-line evaluators, pinned once, and requests for them. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import type { Campaign, EvaluatorConfig } from '../../src/config/index.ts';
import { type EvaluationRequest, pinBundle } from '../../src/evaluator/index.ts';
import { NO_LIMITS } from '../../src/process/index.ts';

export const EVALUATORS = resolve(import.meta.dirname, '../fixtures/evaluators');

/** The one step of a campaign file with `evaluator.command`. */
export function stepsOf(command: readonly string[], timeoutMs = 60_000): EvaluatorConfig['steps'] {
  return [{ name: 'evaluate', kind: null, command, timeoutMs, require: {} }];
}

export const EVALUATOR: EvaluatorConfig = {
  steps: stepsOf(['./printed.sh']),
  prepare: null,
  timeoutMs: 60_000,
  graceMs: 300,
  concurrency: 1,
  cpus: [],
  objectives: [
    { name: 'speed', direction: 'maximize', epsilon: 0, rankBy: 'value' },
    { name: 'size', direction: 'minimize', epsilon: 0, rankBy: 'value' },
  ],
  splits: ['train'],
  hidden: [],
  remeasure: { incumbent: false, jump: 0 },
  finals: { finalists: 10, every: 0, gates: [] },
  network: false,
  env: [],
};

const target: Campaign['target'] = {
  repository: '/nowhere',
  mirror: null,
  root: 'HEAD',
  edit: [],
  protect: [],
  prepare: [],
  link: [],
  setup: [],
};

export interface Part {
  readonly evaluator?: Partial<EvaluatorConfig>;
  readonly directory?: string;
  readonly repository?: string;
}

export function campaignOf({ evaluator = {}, directory = EVALUATORS, repository = '/nowhere' }: Part) {
  return { directory, target: { ...target, repository }, evaluator: { ...EVALUATOR, ...evaluator } };
}

/** A folder that is gone after the file's tests. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes requests with fresh folders for the evaluators of `EVALUATORS`. */
export async function requester(sandbox: Campaign['sandbox']) {
  const root = await scratchFolder();
  const bundle = await pinBundle(campaignOf({}), join(root, 'bundles'));
  let made = 0;
  return async (evaluator: Partial<EvaluatorConfig>, more: Partial<EvaluationRequest> = {}) => {
    const own = join(root, `${++made}`);
    const request: EvaluationRequest = {
      campaign: { ...campaignOf({ evaluator }), sandbox, limits: NO_LIMITS },
      bundle: bundle.dir,
      checkout: join(own, 'checkout'),
      rootCheckout: join(own, 'root'),
      prepared: false,
      commit: 'c0ffee',
      rootCommit: 'decade',
      split: 'train',
      seed: 7,
      cpus: [],
      scratch: join(own, 'scratch'),
      cache: join(own, 'cache'),
      ...more,
    };
    for (const place of [request.checkout, request.rootCheckout, request.scratch, request.cache]) {
      await mkdir(place, { recursive: true });
    }
    return request;
  };
}
