/**
 * A process that does the jobs of campaigns which another one plans and settles.
 *
 * - `worker`  which campaigns are worked on, as the database says
 * - `bench`   one of them: its hub, its pinned evaluator, its agents
 */
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
