import { expect, test } from 'vitest';
import { type Measured, noiseOf } from '../../src/pipeline/index.ts';

const OBJECTIVES = [{ name: 'speed', direction: 'maximize', epsilon: 0.01 }] as const;

function measured(speed: number, interval?: [number, number]): Measured {
  const evaluation: Measured['evaluation'] = {
    status: 'valid',
    objectives: { speed },
    scores: { speed },
    intervals: interval === undefined ? {} : { speed: interval },
    ...{ identity: null, metrics: {}, features: {}, summary: '', evidence: '' },
  };
  const nothing = { text: '', bytes: 0, truncated: false };
  return {
    evaluation,
    shared: false,
    durationMs: 1,
    isolation: 0,
    stdout: nothing,
    stderr: nothing,
    artifacts: [],
    notes: [],
  };
}

test('two values and no interval: how far apart they are', () => {
  expect(noiseOf(OBJECTIVES, [measured(1), measured(1.25)])).toEqual([
    { objective: 'speed', first: 1, second: 1.25, difference: 0.25, reach: null, epsilon: 0.01 },
  ]);
});

test('a root that is 1 by definition shows its noise in the interval', () => {
  const [noise] = noiseOf(OBJECTIVES, [measured(1, [0.75, 1.125]), measured(1, [0.875, 1.5])]);
  expect(noise).toMatchObject({ difference: 0, reach: 0.5 });
});
