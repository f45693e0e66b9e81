/**
 * The statistics of a matched study, pure (Loreley, arXiv:2608.19703; formulas with each function).
 *
 * - `paired`     two arms block by block: effect, wins, range without one block
 * - `bca`        interval of a mean by the bootstrap; `multisets`, all resamples of a few values
 * - `sign-flip`  the exact paired test; `holm`, a family of tests
 * - `subsets`    the interval that belongs to that test, exact with few values, too
 * - `power`      what a design can find, said before the study
 */
export { type BcaInterval, type BcaOptions, bcaInterval } from './bca.ts';
export { holm } from './holm.ts';
export { mean, type PairedEffect, pairedEffect, percent } from './paired.ts';
export { blocksFor, type Design, type Forecast, forecast, powerOf } from './power.ts';
export { type SignFlip, signFlip } from './sign-flip.ts';
export { type SubsetInterval, subsetInterval } from './subsets.ts';
