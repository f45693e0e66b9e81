import type { Benchmark } from './benchmark.ts';
import { measureArchive } from './qd/archive.ts';
import { measureProjection } from './qd/projection.ts';
import { measureSampling } from './qd/sampling.ts';
import { measureSettling } from './qd/settling.ts';

/** The pure core of the search: what a campaign's history may cost. */
export const qd: Benchmark = {
  name: 'qd',
  about: 'placing, replaying, sampling, projecting and settling at the size of long campaigns',
  async run() {
    return {
      figures: [...measureArchive(), ...measureSampling(), ...(await measureProjection()), ...measureSettling()],
      notes: [
        'place: 3 objectives with ε 0.003, 4 × 4 × 4 cells, capacity 8, rule box, vectors of 512 numbers; the best of 5 rounds, since other ' +
          'processes only ever slow a round down. Coordinates are computed once for an entry and an epoch, and counted apart.',
        'projection: the longest wait of a timer on the main thread while a worker fits, the copy of the vectors to it included; on a busy machine it waits for the CPU, too.',
        'settling: 512 numbers an entry, a fit after every 8 entries or a quarter of the history, whichever is more.',
      ],
    };
  },
};
