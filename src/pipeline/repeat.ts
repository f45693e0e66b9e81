import { type Measured, measure } from './measure.ts';
import { prepareRoot } from './prepare.ts';
import type { Workshop } from './workshop.ts';

/**
 * Measures the root again and again, as candidates will be, each time with a whole evaluation; up to the first that refuses it.
 * @throws InfrastructureError as `measure` does.
 */
export async function measureRoot(
  workshop: Workshop,
  { rounds, onRound }: { readonly rounds: number; readonly onRound: (round: number) => void },
  signal: AbortSignal,
): Promise<Measured[]> {
  await prepareRoot(workshop, signal);
  const input = { commit: workshop.root.commit, split: 'train', lane: 'check' } as const;
  const measured: Measured[] = [];
  for (let round = 1; round <= rounds && measured.at(-1)?.evaluation.status !== 'invalid'; round += 1) {
    onRound(round);
    measured.push(await measure(workshop, input, signal));
  }
  return measured;
}
