import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { baseEnvironment } from '../process/index.ts';
import type { EvaluationRequest } from './evaluate.ts';

/** Where one evaluation may write, all in its scratch folder. */
export interface Places {
  readonly result: string;
  readonly artifacts: string;
  readonly home: string;
  readonly tmp: string;
}

/** The environment of the contract; the only one that an evaluator sees. */
export function contractEnvironment(request: EvaluationRequest, places: Places): Record<string, string> {
  return baseEnvironment({
    home: places.home,
    tmp: places.tmp,
    pass: request.campaign.evaluator.env,
    extra: {
      CLADE_ROOT_DIR: request.rootCheckout,
      CLADE_RESULT: places.result,
      CLADE_ARTIFACTS: places.artifacts,
      CLADE_CACHE: request.cache,
      CLADE_SPLIT: request.split,
      CLADE_SEED: `${request.seed}`,
      CLADE_CPUS: request.cpus.join(','),
      CLADE_COMMIT: request.commit,
      CLADE_ROOT_COMMIT: request.rootCommit,
      CLADE_CAMPAIGN_DIR: request.bundle,
    },
  });
}

/** Makes the folders in `scratch`. */
export async function makePlaces(scratch: string): Promise<Places> {
  const places = {
    result: join(scratch, 'result.json'),
    artifacts: join(scratch, 'artifacts'),
    home: join(scratch, 'home'),
    tmp: join(scratch, 'tmp'),
  };
  for (const folder of [places.artifacts, places.home, places.tmp]) await mkdir(folder, { recursive: true });
  // A result of an earlier attempt must not be read as this one's.
  await rm(places.result, { force: true, recursive: true });
  return places;
}
