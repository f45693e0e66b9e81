import { setTimeout as sleep } from 'node:timers/promises';
import { fitInWorker } from '../../../src/daemon/fit/index.ts';
import { fitProjection } from '../../../src/qd/index.ts';
import type { Figure } from '../benchmark.ts';
import { vectors } from './data.ts';

const ROWS = 4096;
const COLUMNS = 1536;
const SETTINGS = { dimensions: 3, clip: 3 };

export async function measureProjection(): Promise<Figure[]> {
  const rows = vectors(ROWS, COLUMNS);
  const request = { epoch: 1, vectors: rows, settings: SETTINGS, previous: null };
  // The thread first: the garbage of a fit on this thread would be collected while the thread is watched.
  const aside = await longestWaitDuring(() => fitInWorker(request, new AbortController().signal));
  const start = performance.now();
  fitProjection(rows, SETTINGS);
  const alone = performance.now() - start;
  const idle = await longestWaitDuring(() => sleep(alone));
  return [
    { what: `projection of ${ROWS} × ${COLUMNS} to 3`, value: alone / 1000, unit: 's', aim: 3 },
    { what: 'main thread blocked while a thread fits', value: aside, unit: 'ms', aim: 50 },
    { what: 'the same while nobody fits', value: idle, unit: 'ms' },
  ];
}

async function longestWaitDuring(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  };
  const ticking = setInterval(look, 1);
  await work();
  look();
  clearInterval(ticking);
  return longest;
}
