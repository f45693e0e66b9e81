import { parentPort, workerData } from 'node:worker_threads';
import { type FitRequest, runFit } from '../../qd/index.ts';

/** The thread of `fitInWorker`: one request in, one answer out, and it ends. */
const request: FitRequest = workerData;
parentPort?.postMessage(runFit(request));
