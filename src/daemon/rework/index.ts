/**
 * Proposals that go back to their coder, inside their one job and before it can be settled.
 *
 * - `due`       which of the unsettled jobs: a rule about a job and its own past
 * - `evidence`  what the coder is told
 * - `returned`  sends them back
 * - `novelty`   proposals that are too near to what was retained, before they are evaluated
 * - `retained`  notes what is retained as a batch is planned
 * - `resume`    what a later round begins with
 */
export { dueForRework } from './due.ts';
export { type Look, lookForNovelty } from './novelty.ts';
export { resume } from './resume.ts';
export { noteRetained } from './retained.ts';
export { goBack, returnDue } from './returned.ts';
