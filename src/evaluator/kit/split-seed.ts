import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Contract } from './contract.ts';
import { MachineFault } from './refusal.ts';

/**
 * The seed of a split's generated inputs, from 0 to 2^31 − 1. It depends on the campaign's seed, the split and, where the campaign
 * hides one for this split, a file `<split>.seed`: without the file nobody can make the inputs of validation and holdout beforehand.
 *
 * ```yaml
 * hidden: [{ path: ./seeds/validation.seed, splits: [validation] }, { path: ./seeds/holdout.seed, splits: [holdout] }]
 * ```
 *
 * @throws MachineFault when the file cannot be read
 */
export function splitSeed({ seed, split, hidden }: Pick<Contract, 'seed' | 'split' | 'hidden'>): number {
  const file = hidden.find((path) => basename(path) === `${split}.seed`);
  const secret = file === undefined ? '' : read(file);
  return createHash('sha256').update(`${seed}\n${split}\n${secret}`).digest().readUInt32BE() >>> 1;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new MachineFault(`the seed in ${path} cannot be read`, { cause });
  }
}
