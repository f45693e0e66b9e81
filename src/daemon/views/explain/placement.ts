import { type FrontSettings, type Member, offer } from '../../../qd/index.ts';
import type { PlacementRow } from '../../../store/index.ts';
import { jobs, reasonInWords } from './words.ts';

/** What became of a candidate in one epoch of an island. */
export interface PlacementExplanation {
  readonly island: number;
  readonly epoch: number;
  /** Whether it is the epoch that the candidate settled in, and whether it is the present one. */
  readonly atSettlement: boolean;
  readonly current: boolean;
  readonly verdict: PlacementRow['verdict'];
  readonly cell: number;
  readonly reason: string;
  /** Ordinals that left the front because of it. */
  readonly evicted: readonly number[];
  /** Whether it was in the front at the end of the epoch, or is. */
  readonly retained: boolean;
  /** Ordinals because of which it is not: those that rejected it, or the one that evicted it. */
  readonly by: readonly number[];
  /** A sentence. */
  readonly because: string;
}

/**
 * Explains the placement of one candidate from all those of its epoch, in settlement order.
 * @param members by ordinal, with oriented points
 */
export function explainPlacement(
  own: PlacementRow,
  epoch: readonly PlacementRow[],
  members: ReadonlyMap<number, Member>,
  settings: Omit<FrontSettings, 'capacity'>,
): Omit<PlacementExplanation, 'atSettlement' | 'current'> {
  const evictor = epoch.find((other) => other.settlement > own.settlement && other.evicted.includes(own.ordinal));
  const by =
    own.verdict === 'rejected'
      ? rejectors(own, frontBefore(own, epoch), members, settings)
      : evictor === undefined
        ? []
        : [evictor.ordinal];
  const retained = own.verdict !== 'rejected' && evictor === undefined;
  const { island, cell, verdict, reason, evicted } = own;
  const facts = { island, epoch: own.epoch, verdict, cell, reason, evicted, retained, by };
  return { ...facts, because: sentence(facts, evictor) };
}

/** Ordinals of the front of the cell when the candidate was offered to it. */
function frontBefore(own: PlacementRow, epoch: readonly PlacementRow[]): number[] {
  const earlier = epoch.filter(({ cell, settlement }) => cell === own.cell && settlement < own.settlement);
  const gone = new Set(earlier.flatMap(({ evicted }) => evicted));
  return earlier
    .filter(({ verdict, ordinal }) => verdict !== 'rejected' && !gone.has(ordinal))
    .map((row) => row.ordinal);
}

/** The members of the front that would have rejected the candidate alone; all of them where it took them together. */
function rejectors(
  own: PlacementRow,
  front: readonly number[],
  members: ReadonlyMap<number, Member>,
  settings: Omit<FrontSettings, 'capacity'>,
): number[] {
  const candidate = members.get(own.ordinal);
  if (candidate === undefined) return [...front];
  const alone = front.filter((ordinal) => {
    const member = members.get(ordinal);
    const capacity = Infinity;
    return member !== undefined && offer([member], candidate, { ...settings, capacity }).reason === own.reason;
  });
  return alone.length > 0 ? alone : [...front];
}

function sentence(
  facts: Omit<PlacementExplanation, 'atSettlement' | 'current' | 'because'>,
  evictor: PlacementRow | undefined,
): string {
  const { epoch, island, cell, verdict, reason, evicted, by } = facts;
  const took = { new: 'opened', improved: 'joined the front of', rejected: 'was rejected by the front of' }[verdict];
  const whom = evicted.length === 0 ? '' : ` ${cap(jobs(evicted))} left.`;
  const who = verdict === 'rejected' && by.length > 0 ? ` (${jobs(by)})` : '';
  const later = evictor === undefined ? '' : ` Job ${evictor.ordinal} evicted it: ${reasonInWords(evictor.reason)}.`;
  return `In epoch ${epoch} of island ${island} it ${took} cell ${cell}: ${reasonInWords(reason)}${who}.${whom}${later}`;
}

function cap(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
