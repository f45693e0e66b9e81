import { isDeepStrictEqual } from 'node:util';
import type { Campaign } from '../../../config/index.ts';
import type { JobRow } from '../../../store/index.ts';
import { choose } from '../../plan.ts';
import type { Hindsight } from './hindsight.ts';

/** Whether the policy, asked again with what it knew then, gives the job that the ledger has. */
export interface Replay {
  readonly result: 'same' | 'different' | 'not possible';
  /** What differs, or why it is not possible. */
  readonly details: readonly string[];
}

const UNPLANNED: Readonly<Record<JobRow['kind'], string>> = {
  root: 'the root was not planned',
  seed: 'the user chose it, not the policy',
  minimised: 'it was made of a candidate, not planned',
  generate: 'the event of its planning is not in the log',
};

/** Plans a job once more and compares base, inspirations and decision with the stored ones. Pure. */
export function replayJob(
  campaign: Campaign,
  job: Pick<JobRow, 'kind' | 'ordinal' | 'baseOrdinal' | 'inspirations' | 'decision'>,
  hindsight: Hindsight | null,
  triedBefore: number | null = null,
): Replay {
  if (triedBefore !== null) return { result: 'not possible', details: ['the user chose it, not the policy'] };
  if (hindsight === null) {
    return { result: 'not possible', details: [UNPLANNED[job.kind]] };
  }
  const specs = choose(campaign, hindsight.islands, hindsight.batch);
  const again = specs.find(({ ordinal }) => ordinal === job.ordinal);
  if (again === undefined) return { result: 'different', details: ['the policy plans no such job'] };
  const details = [
    difference('base', job.baseOrdinal, again.base),
    difference('inspirations', job.inspirations, again.inspirations),
    difference('decision', job.decision, again.decision),
  ].filter((found) => found !== null);
  return { result: details.length === 0 ? 'same' : 'different', details };
}

/** Compares as JSON, which is what the ledger keeps: −0 is 0 there. */
function difference(what: string, stored: unknown, again: unknown): string | null {
  const plain: unknown = JSON.parse(JSON.stringify(again));
  if (isDeepStrictEqual(stored, plain)) return null;
  return `${what}: the ledger has ${JSON.stringify(stored)}, the policy gives ${JSON.stringify(plain)}`;
}
