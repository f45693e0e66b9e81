import { createPopulation, type PopulationSettings, settle } from '../../../src/qd/index.ts';
import type { Figure } from '../benchmark.ts';
import { entries, LENGTH, SETTINGS, vectors } from './data.ts';

const HISTORY = 10_000;

/** Time of settling per entry, the fits included. */
export function measureSettling(): Figure[] {
  const settings: PopulationSettings = {
    ...SETTINGS,
    warmup: 8,
    projection: { dimensions: 3, clip: 3, refit: 8, growth: 0.25, history: 4096 },
  };
  const population = createPopulation(settings);
  const history = entries(HISTORY, vectors(2048, LENGTH));
  const marks: number[] = [];
  const start = performance.now();
  for (const entry of history) {
    settle(population, entry);
    marks.push(performance.now() - start);
  }
  const mean = (from: number, to: number) => ((marks[to - 1] ?? 0) - (marks[from - 1] ?? 0)) / (to - from);
  return [
    { what: `settling ${HISTORY} entries`, value: (marks.at(-1) ?? 0) / 1000, unit: 's' },
    { what: 'settling per entry up to 1,000', value: mean(1, 1_000), unit: 'ms' },
    {
      what: 'settling per entry from 1,000 to 10,000, relative',
      value: mean(1_000, HISTORY) / mean(1, 1_000),
      unit: '×',
      aim: 1.3,
    },
  ];
}
