/**
 * One winner where there is a validation split: the finalists of train measured on validation, a choice by a pure rule,
 * and holdout once for the chosen one. Rows decide, so that a killed process goes on where it was and measures nothing
 * twice. Nothing of it gets back into the search.
 *
 * - `choose`   pure: gates, the highest score, ties
 * - `conduct`  when finals begin, what they ask for, and when they are over
 */
export { atCheckpoint, atTheEnd, decideOpen } from './conduct.ts';
