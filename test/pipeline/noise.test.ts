import { expect, test } from 'vitest';
import { type Measured, noiseOf } from '../../src/pipeline/index.ts';

const OBJECTIVES = [{ name: 'speed', direction: 'maximize', epsilon: 0.01 }] as const;
const campaign = { evaluator: { objectives: OBJECTIVES } } as Parameters<typeof noiseOf>[0]['campaign'];

function measured(speed: number, interval?: [number, number]): Measured {
  const evaluation = {
    ...{ status: 'valid', identity: null, metrics: {}, features: {}, summary: '', evidence: '' },
    objectives: { speed },
    intervals: interval === undefined ? {} : { speed: interval },
  } as const;
  const nothing = { text: '', bytes: 0, truncated: false };
  return { evaluation, durationMs: 1, isolation: 0, stdout: nothing, stderr: nothing, artifacts: [], notes: [] };
}

test('two values and no interval: how far apart they are', () => {
  expect(noiseOf({ campaign }, [measured(1), measured(1.25)])).toEqual([
    { objective: 'speed', first: 1, second: 1.25, difference: 0.25, reach: null, epsilon: 0.01 },
  ]);
});

test('a root that is 1 by definition shows its noise in the interval', () => {
  const [noise] = noiseOf({ campaign }, [measured(1, [0.75, 1.125]), measured(1, [0.875, 1.5])]);
  expect(noise).toMatchObject({ difference: 0, reach: 0.5 });
});
