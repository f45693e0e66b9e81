/**
 * A candidate without what does not pay: delta debugging against the evaluator.
 *
 * - `ddmin`       the algorithm, pure
 * - `change`      what a candidate did to each file; `unit`, the pieces that are kept or dropped; `statements`, finer pieces
 * - `criterion`   when a part is enough
 * - `search`      files, then hunks, then statements; what is found is confirmed
 * - `bench`       a lane with a number of evaluations to spend
 * - `minimise`    all of it for one candidate
 */
export type { Accepted, MinimiseProgress } from './bench.ts';
export {
  type Minimised,
  type MinimisedPart,
  type MinimiseRequest,
  minimise,
} from './minimise.ts';
