import { fitProjection, project, replay } from '../../../src/qd/index.ts';
import type { Figure } from '../benchmark.ts';
import { bestOf, entries, LENGTH, SETTINGS, vectors } from './data.ts';

const ENTRIES = 100_000;

export function measureArchive(): Figure[] {
  const pool = vectors(4096, LENGTH);
  const history = entries(ENTRIES, pool);
  const projection = fitProjection(pool.slice(0, 512), { dimensions: 3, clip: 3 });
  let coordinates: Float64Array[] = [];
  const projecting = bestOf(5, () => {
    coordinates = history.map(({ vector }) => project(projection, vector));
  });
  const placing = bestOf(5, () => replay(SETTINGS, projection, history, coordinates));
  const replaying = bestOf(5, () => replay(SETTINGS, projection, history));
  const perSecond = (ms: number) => (ENTRIES / ms) * 1000;
  return [
    { what: 'place', value: perSecond(placing), unit: '/s', least: 200_000 },
    { what: 'coordinates of an entry', value: perSecond(projecting), unit: '/s' },
    { what: `replay of ${ENTRIES} entries, coordinates included`, value: replaying / 1000, unit: 's', aim: 1 },
  ];
}
