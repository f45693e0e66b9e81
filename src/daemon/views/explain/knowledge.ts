import type { Decision } from '../../../policy/index.ts';
import type { JobRow } from '../../../store/index.ts';
import { counted } from './words.ts';

/** How much a job's policy knew, and how old that was in the end. */
export interface KnowledgeExplanation {
  /** Entries of the island that its policy looked at; null for the root. */
  readonly entries: number | null;
  /** Entries that the island took between planning and settlement (τ); null before settlement. */
  readonly staleness: number | null;
  /** Sentences. */
  readonly because: readonly string[];
}

export function explainKnowledge(
  { island, staleness }: Pick<JobRow, 'island' | 'staleness'>,
  decision: Decision | null,
): KnowledgeExplanation {
  const entries = decision?.version ?? null;
  const seen =
    entries === null ? [] : [`Its policy had seen ${counted(entries, 'entry', 'entries')} of island ${island}.`];
  const since =
    staleness === null
      ? []
      : [`Until it settled the island took ${staleness === 0 ? 'none' : staleness} more (staleness τ = ${staleness}).`];
  return { entries, staleness, because: [...seen, ...since] };
}
