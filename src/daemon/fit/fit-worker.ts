import { parentPort, workerData } from 'node:worker_threads';
import { runFit } from '../../qd/index.ts';
import { type Parcel, packAnswer, unpackRequest } from './parcel.ts';

/** The thread of `fitInWorker`: one request in, one answer out, and it ends. */
const parcel: Parcel = workerData;
const answer = packAnswer(runFit(unpackRequest(parcel)));
parentPort?.postMessage(answer, [answer.coordinates.buffer]);
