import type { Decision } from '../../../policy/index.ts';
import { cellDistance, elites, type Population } from '../../../qd/index.ts';
import { counted } from './words.ts';

/** Why a job was shown a candidate. */
export interface InspirationExplanation {
  readonly ordinal: number;
  /** `near`: within the radius that the search grew to; `fallback`: from farther away; `migrant`: from another island. */
  readonly origin: 'near' | 'fallback' | 'migrant';
  readonly island: number;
  /** Its cell when the job was planned, and how far that was from the base's: Chebyshev, in cells. Null for a migrant. */
  readonly cell: number | null;
  readonly distance: number | null;
}

export interface InspirationsExplanation {
  /** The nearest first, then a migrant. */
  readonly chosen: readonly InspirationExplanation[];
  /** Sentences. */
  readonly because: readonly string[];
}

/** Beyond every grid: where what has no distance is listed. */
const FAR = Number.MAX_SAFE_INTEGER;

type Drawn = Extract<Decision, { reason: 'archive' }>;

/** @param then the population of the job's island when the job was planned, where it could be rebuilt */
export function explainInspirations(
  { island, inspirations }: { readonly island: number; readonly inspirations: readonly number[] },
  decision: Decision | null,
  then: Readonly<Population> | null,
  triedBefore: number | null = null,
): InspirationsExplanation {
  if (triedBefore !== null) return { chosen: [], because: [`Those of job ${triedBefore}, which is tried again.`] };
  if (decision?.reason !== 'archive') return { chosen: [], because: [withoutArchive(decision)] };
  const chosen = inspirations
    .map((ordinal) => trace(ordinal, island, decision, then))
    .sort((a, b) => (a.distance ?? FAR) - (b.distance ?? FAR));
  return { chosen, because: [...chosen.map(sentence), ...shortage(chosen, decision, then)] };
}

function trace(
  ordinal: number,
  island: number,
  { cell: center, radius, migrant }: Drawn,
  then: Readonly<Population> | null,
): InspirationExplanation {
  if (migrant?.ordinal === ordinal) {
    return { ordinal, origin: 'migrant', island: migrant.island, cell: null, distance: null };
  }
  const archive = then?.archive ?? null;
  const cell = archive === null ? null : (elites(archive).find(({ entry }) => entry.ordinal === ordinal)?.cell ?? null);
  const distance = archive === null || cell === null ? null : cellDistance(center, cell, archive.grid);
  return { ordinal, origin: (distance ?? 0) > radius ? 'fallback' : 'near', island, cell, distance };
}

function sentence({ ordinal, origin, island, cell, distance }: InspirationExplanation): string {
  if (origin === 'migrant')
    return `Job ${ordinal} is an elite of island ${island}: it was this job's turn to take one.`;
  if (cell === null || distance === null) return `Job ${ordinal} is in none of the cells of that time.`;
  const away =
    distance === 0 ? "the base's own cell" : `cell ${cell}, ${counted(distance, 'cell', 'cells')} from the base's`;
  return `Job ${ordinal} is from ${away}${origin === 'fallback' ? ': nearer ones were too few' : ''}.`;
}

function shortage(
  chosen: readonly InspirationExplanation[],
  { migrant }: Drawn,
  then: Readonly<Population> | null,
): string[] {
  return [
    ...(migrant === null ? ["It was this job's turn to take an elite of another island, and there was none."] : []),
    ...(chosen.length === 0 && then?.archive != null
      ? ['None: none was wanted, or the archive held nothing but the base.']
      : []),
  ];
}

function withoutArchive(decision: Decision | null): string {
  if (decision === null) return 'None: nothing was chosen.';
  if (decision.reason === 'warmup') return 'None: there was no archive to take them from.';
  return `None: policy ${decision.policy} gives none.`;
}
