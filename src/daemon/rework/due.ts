import type { Kysely } from 'kysely';
import { type Past, pastOf, type Tables, type Unsettled } from '../../store/index.ts';

/** What a coder can mend when it is told of it. */
const MENDABLE: ReadonlySet<string> = new Set(['build', 'test']);

/** Whether a job may go back at all, before its past is looked at. */
function isMendable(job: Unsettled): job is Unsettled & { readonly tree: string } {
  const { kind, state, evaluationState, status, invalidKind, tree } = job;
  const refused = evaluationState === 'done' && status === 'invalid' && MENDABLE.has(invalidKind ?? '');
  return kind === 'generate' && state === 'generated' && tree !== null && refused;
}

/**
 * Whether a job's proposal goes back to its coder: its tree failed `train` at build or test, it has not gone back `most` times, its coder
 * has not left it as it is, and it is no duplicate of what was settled before its batch. It depends on nothing that others of the batch do,
 * so that a batch stays deterministic. Pure.
 */
export function isDue(job: Unsettled, { reworked, stands, repeats }: Past, most: number): boolean {
  return isMendable(job) && reworked < most && !stands && !repeats;
}

/** The jobs that go back before anything else is done with them. Looks at the past only of those that were refused. */
export async function dueForRework(
  db: Kysely<Tables>,
  jobs: readonly Unsettled[],
  most: number,
): Promise<ReadonlySet<Unsettled>> {
  const due = new Set<Unsettled>();
  if (most === 0) return due;
  for (const job of jobs) {
    if (!isMendable(job)) continue;
    const { campaignId, ordinal, tree, batch } = job;
    const past = await pastOf(db, { campaignId, ordinal, tree, before: batch ?? ordinal }, 'rework');
    if (isDue(job, past, most)) due.add(job);
  }
  return due;
}
