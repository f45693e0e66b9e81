/** What the tests of `evaluator/` share: a campaign of one-line evaluators, pinned once, and requests for them. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import type { Campaign, EvaluatorConfig } from '../../src/config/index.ts';
import { type EvaluationRequest, pinBundle } from '../../src/evaluator/index.ts';

export const EVALUATORS = resolve(import.meta.dirname, '../fixtures/evaluators');

export const EVALUATOR: EvaluatorConfig = {
  command: ['./printed.sh'],
  timeoutMs: 60_000,
  graceMs: 300,
  concurrency: 1,
  cpus: [],
  objectives: [
    { name: 'speed', direction: 'maximize', epsilon: 0 },
    { name: 'size', direction: 'minimize', epsilon: 0 },
  ],
  splits: ['train'],
  hidden: [],
  network: false,
  env: [],
};

const target: Campaign['target'] = {
  repository: '/nowhere',
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
      campaign: { ...campaignOf({ evaluator }), sandbox },
      bundle: bundle.dir,
      checkout: join(own, 'checkout'),
      rootCheckout: join(own, 'root'),
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
