/**
 * A job's proposal: base → planner → coder → the one commit.
 *
 * - `job`       what is known before, and what became of it
 * - `makers`    planner, coders, and their way to models
 * - `generate`  all of it
 * - `plan`      the planner, whose edits are thrown away
 * - `ask`       one run of an agent
 * - `commit`    the difference as one commit; in a later round perhaps the proposal that came back
 */
export { commitMessage } from './commit.ts';
export { generate } from './generate.ts';
export type { Earlier, Generated, GenerateInput, Planned } from './job.ts';
export { type Maker, type Makers, type ModelRun, sumUsage, type Usage } from './makers.ts';
