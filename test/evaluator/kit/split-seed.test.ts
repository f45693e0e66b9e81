import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MachineFault, splitSeed } from '../../../src/evaluator/kit/index.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clade-seed-'));
  await writeFile(join(folder, 'holdout.seed'), 'a secret\n');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

it('differs by seed, split and secret, and is equal for equals', () => {
  const hidden = [join(folder, 'holdout.seed')];
  const seeds = [
    splitSeed({ seed: 1, split: 'train', hidden: [] }),
    splitSeed({ seed: 2, split: 'train', hidden: [] }),
    splitSeed({ seed: 1, split: 'holdout', hidden: [] }),
    splitSeed({ seed: 1, split: 'holdout', hidden }),
  ];
  expect(new Set(seeds).size).toBe(4);
  expect(splitSeed({ seed: 1, split: 'holdout', hidden })).toBe(seeds[3]);
  // A secret of another split is no part of it.
  expect(splitSeed({ seed: 1, split: 'train', hidden })).toBe(seeds[0]);
  for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
});

it('calls a secret that cannot be read the fault of the machine', () => {
  const hidden = [join(folder, 'train.seed')];
  expect(() => splitSeed({ seed: 1, split: 'train', hidden })).toThrow(MachineFault);
});
