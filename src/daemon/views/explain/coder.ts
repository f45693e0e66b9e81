import { z } from 'zod';
import type { CoderReason } from '../../../policy/index.ts';
import type { Json } from '../../../store/index.ts';

/** Who was asked for the code of a job, and why. */
export interface CoderExplanation {
  /** Null for the root and seeds. */
  readonly name: string | null;
  /** Sentences. */
  readonly because: readonly string[];
}

const reasonSchema = z.discriminatedUnion('rule', [
  z.object({ rule: z.literal('only') }),
  z.object({ rule: z.literal('again') }),
  z.object({ rule: z.literal('weights'), share: z.number() }),
  z.object({ rule: z.literal('untried'), asked: z.number() }),
  z.object({ rule: z.literal('bandit'), mean: z.number(), bonus: z.number() }),
]);
const plannedSchema = z.object({ coder: z.object({ coder: z.string(), reason: reasonSchema }) });

/** @param planned what the event of the job's planning holds; null where there is none */
export function explainCoder(planned: Json | null): CoderExplanation {
  const known = plannedSchema.safeParse(planned).data?.coder;
  if (known === undefined) return { name: null, because: [] };
  const why = sentence(known.reason);
  return { name: known.coder, because: why === '' ? [] : [why] };
}

function sentence(reason: CoderReason): string {
  switch (reason.rule) {
    case 'only':
      return '';
    case 'again':
      return 'It had the job that is tried again.';
    case 'weights':
      return `It was drawn by its weight, ${Math.round(100 * reason.share)} % of all.`;
    case 'untried':
      return `Each coder is asked twice before anything is decided; it had been asked ${reason.asked} times.`;
    case 'bandit':
      return `It promised most: ${reason.mean.toFixed(3)} a job of late for what it costs, and ${reason.bonus.toFixed(3)} for what is not known of it.`;
  }
}
