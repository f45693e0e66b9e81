/**
 * Which coder a job is given to.
 *
 * - `outcome`  coders, and what became of their jobs
 * - `belief`   what is believed of them: a fold of the settled jobs
 * - `choose`   by weight, or who improves most for what it costs
 */
export { type Belief, createBelief, learn } from './belief.ts';
export { type CoderChoice, type CoderReason, type CoderView, chooseCoders } from './choose.ts';
export type { Arm, CoderOutcome } from './outcome.ts';
