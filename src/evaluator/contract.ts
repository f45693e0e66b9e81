import { mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { baseEnvironment } from '../process/index.ts';
import type { EvaluationRequest } from './evaluate.ts';
import { COMMANDS } from './library.ts';

/** Where one step may write, all but the artifacts in a folder that no other step has. */
export interface Places {
  readonly own: string;
  readonly result: string;
  readonly artifacts: string;
  readonly home: string;
  readonly tmp: string;
}

/** The environment of the contract; the only one that a step sees. `hidden` is what of the hidden paths is shown. */
export function contractEnvironment(
  request: EvaluationRequest,
  step: { readonly name: string; readonly places: Places; readonly hidden: readonly string[] },
): Record<string, string> {
  const { places } = step;
  const base = baseEnvironment({
    home: places.home,
    tmp: places.tmp,
    pass: request.campaign.evaluator.env,
    extra: {
      CLADE_ROOT_DIR: request.rootCheckout,
      CLADE_RESULT: places.result,
      CLADE_ARTIFACTS: places.artifacts,
      CLADE_CACHE: request.cache,
      CLADE_SPLIT: request.split,
      CLADE_STEP: step.name,
      CLADE_HIDDEN: step.hidden.join(delimiter),
      CLADE_SEED: `${request.seed}`,
      CLADE_CPUS: request.cpus.join(','),
      CLADE_COMMIT: request.commit,
      CLADE_ROOT_COMMIT: request.rootCommit,
      CLADE_CAMPAIGN_DIR: request.bundle,
    },
  });
  return { ...base, PATH: [join(request.bundle, COMMANDS), base.PATH].join(delimiter) };
}

/** Makes the folders of the step of this name in `scratch`; artifacts are common to all steps. */
export async function makePlaces(scratch: string, step: string): Promise<Places> {
  const own = join(scratch, `step-${step}`);
  const places = {
    own,
    result: join(own, 'result.json'),
    artifacts: join(scratch, 'artifacts'),
    home: join(own, 'home'),
    tmp: join(own, 'tmp'),
  };
  // What an earlier attempt left must not be read as this one's.
  await rm(own, { force: true, recursive: true });
  for (const folder of [places.artifacts, places.home, places.tmp]) await mkdir(folder, { recursive: true });
  return places;
}
