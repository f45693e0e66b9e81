import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Contract, infrastructure } from 'clade/evaluator';

const SHORTEST = 16;

/**
 * What the corpora of a split are made from. `train` goes by the seed of the campaign, which anybody may know. The others go by a
 * file that the campaign hides from agents and from evaluations of other splits: `validation.seed`, `holdout.seed`. The generator
 * is no secret and need not be: without the seed, its languages, layouts and sizes are not to be had.
 *
 * @throws MachineFault when the file of the split is not among the hidden ones, or too short to be a secret
 */
export function seedOf({ split, seed, hidden }: Pick<Contract, 'split' | 'seed' | 'hidden'>): string {
  if (split === 'train') return `train ${seed}`;
  const name = `${split}.seed`;
  const path = hidden.find((known) => basename(known) === name);
  if (path === undefined) infrastructure(`the campaign hides no ${name} for the split ${split}`);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < SHORTEST) infrastructure(`${path} must have at least ${SHORTEST} characters`);
  return `${split} ${secret}`;
}
