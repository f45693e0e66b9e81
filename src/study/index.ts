/**
 * Matched comparisons of search policies.
 *
 * - `statistics/`  what is computed of the blocks of a study
 */
export * from './statistics/index.ts';
