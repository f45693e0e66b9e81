/**
 * Why a job was planned as it was, and why it ended as it did.
 *
 * - `explain`       the whole answer
 * - `hindsight`     what the policy saw when it planned the job, rebuilt from the ledger
 * - `replay`        the same policy asked once more
 * - `base`, `inspirations`, `knowledge`, `verdict`   the four answers; `placement` is the part of an archive
 * - `decision`      reads a stored decision back; `words` says it
 */
export { type Explanation, readExplanation } from './explain.ts';
