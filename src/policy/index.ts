/**
 * How the next jobs are chosen; pure.
 *
 * - `policy`               the port: `PolicyView` → `JobSpec[]`
 * - `decision`             why a job got its base and inspirations, and how old that was when it landed: `staleness`
 * - `quality-diversity`    bases and inspirations from the archive, from the root while it warms up
 * - `sequential-champion`  the best so far, one job at a time
 * - `independent-root`     always the root
 * - `registry`             policies by name: `planBatch`, also for slots that get free (`inFlight`)
 * - `islands`              several populations that take turns and exchange elites: `planIslands`
 * - `coders/`              which coder a job is given to: by weight, or a bandit on improvement per cost
 */
export {
  type Arm,
  type Belief,
  type CoderChoice,
  type CoderOutcome,
  type CoderReason,
  type CoderView,
  chooseCoders,
  createBelief,
  learn,
} from './coders/index.ts';
export { type Decision, type Migrant, staleness } from './decision.ts';
export { type ArchipelagoView, type IslandView, islandOf, planIslands } from './islands.ts';
export type { JobSpec, Policy, PolicyView } from './policy.ts';
export type { PolicyName } from './registry.ts';
export { planBatch, policies } from './registry.ts';
