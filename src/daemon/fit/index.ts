/**
 * Projections fitted off the main thread.
 *
 * - `fit-in-worker`  `fitAside`: where a fit is done; `fitInWorker`: one thread a fit
 * - `fit-worker`     what runs in the thread; `parcel` is how vectors get there
 */
export { fitAside, fitInWorker } from './fit-in-worker.ts';
