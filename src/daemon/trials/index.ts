/**
 * Second measurements of what a lucky first number would favour.
 *
 * - `rule`      pure: who has to be measured again, and whether it is better still
 * - `standing`  pure: what candidates rank by after trials, now or at an earlier time
 * - `begin`     asks for a trial, with its event
 * - `run`       the worker's part: challenger and incumbent in one lane
 * - `ruling`    the verdict on a measured trial, and the transaction's part that puts it in force
 */
export { type Bench, beginTrialOf } from './begin.ts';
export { type Contender, isBetter, outcomeOf, trialFor } from './rule.ts';
export { changesBy, enforce, type Ruling, rule } from './ruling.ts';
export { runTrial } from './run.ts';
export { type Change, changesOf, inForce, type Standing, standingsOf } from './standing.ts';
