import { Worker } from 'node:worker_threads';
import { InfrastructureError, InterruptedError } from '../../errors.ts';
import { type FitRequest, type Fitted, runFit } from '../../qd/index.ts';
import { type Answer, packRequest, unpackAnswer } from './parcel.ts';

/** Numbers up to which a fit takes less time (some ms) than starting a thread. */
const SMALL = 64 * 512;

/** The worker next to this file: `.ts` in the source tree, `.js` in the built one. */
const WORKER = new URL(`./fit-worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** Fits a projection: a small one at once, a large one in a thread, so that the daemon goes on with everything else. */
export async function fitAside(request: FitRequest, signal: AbortSignal): Promise<Fitted> {
  const numbers = request.vectors.length * (request.vectors[0]?.length ?? 0);
  return numbers <= SMALL ? runFit(request) : fitInWorker(request, signal);
}

/**
 * Fits a projection in a thread of its own, which ends with the answer or with `signal`.
 * @throws RangeError when vectors differ in length; InterruptedError when `signal` fired; InfrastructureError when the thread failed, say for want of memory.
 */
export async function fitInWorker(request: FitRequest, signal: AbortSignal): Promise<Fitted> {
  if (signal.aborted) throw interrupted(signal);
  // Flags of this process, such as --input-type, may be none that a thread takes.
  const parcel = packRequest(request);
  const transferList = [parcel.numbers.buffer];
  const worker = new Worker(WORKER, { workerData: parcel, transferList, execArgv: [] });
  const stop = Promise.withResolvers<never>();
  const onAbort = () => stop.reject(interrupted(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return unpackAnswer(request.vectors.length, await Promise.race([answerOf(worker), stop.promise]));
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function answerOf(worker: Worker): Promise<Answer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (cause) => reject(new InfrastructureError('fitting a projection failed', { cause })));
    worker.once('exit', (code) =>
      reject(new InfrastructureError(`the thread that fits projections ended with ${code}`)),
    );
  });
}

function interrupted(signal: AbortSignal): InterruptedError {
  return new InterruptedError('fitting a projection was stopped', { cause: signal.reason });
}
