import { fitInWorker } from '../../../src/daemon/fit/index.ts';
import { fitProjection } from '../../../src/qd/index.ts';
import type { Figure } from '../benchmark.ts';
import { vectors } from './data.ts';

const ROWS = 4096;
const COLUMNS = 1536;
const SETTINGS = { dimensions: 3, clip: 3 };

export async function measureProjection(): Promise<Figure[]> {
  const rows = vectors(ROWS, COLUMNS);
  const start = performance.now();
  fitProjection(rows, SETTINGS);
  const alone = performance.now() - start;
  const longest = await longestWaitDuring(() =>
    fitInWorker({ epoch: 1, vectors: rows, settings: SETTINGS, previous: null }, new AbortController().signal),
  );
  return [
    { what: `projection of ${ROWS} × ${COLUMNS} to 3`, value: alone / 1000, unit: 's', aim: 3 },
    { what: 'main thread blocked meanwhile', value: longest, unit: 'ms', aim: 50 },
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
