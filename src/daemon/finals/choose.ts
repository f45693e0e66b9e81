import type { Criterion, Finals } from '../../config/index.ts';
import { lowerBound } from '../../qd/index.ts';
import type { SplitEvaluation } from '../../store/index.ts';

/** What was measured of a finalist on validation. */
export type Validation = Omit<SplitEvaluation, 'state'>;

export interface Finalist {
  /** 0 is the root. */
  readonly ordinal: number;
  readonly commit: string;
  /** Added and deleted, against the root. */
  readonly changedLines: number;
  readonly validation: Validation;
}

export interface Rule {
  /** The first is the primary. */
  readonly objectives: readonly Criterion[];
  readonly gates: Finals['gates'];
}

export interface Choice {
  /** Ordinal. */
  readonly winner: number;
  /** One sentence. */
  readonly reason: string;
  /** Finalists that could not win, whatever their score. */
  readonly refused: readonly { readonly ordinal: number; readonly reason: string }[];
}

/** A finalist that may win, with its score, oriented so that larger is better. */
interface Contender {
  readonly finalist: Finalist;
  readonly score: number;
}

/**
 * The winner among finalists that were all measured: of those that pass every gate the one with the highest score of the
 * primary objective on validation. The root needs no gate. Ties prefer the root, then fewer changed lines, then the
 * commit id, then the identity (L: Loreley, arXiv:2608.19703). Where validation refuses the root itself there is nothing
 * to compare with, and the root stays. Does not depend on the order of the finalists.
 */
export function chooseWinner(rule: Rule, finalists: readonly Finalist[]): Choice {
  const contenders: Contender[] = [];
  const refused: { ordinal: number; reason: string }[] = [];
  for (const finalist of finalists) {
    const reason = refusal(rule, finalist);
    const score = scoreOf(rule, finalist.validation);
    if (reason === null && score !== null) contenders.push({ finalist, score });
    else refused.push({ ordinal: finalist.ordinal, reason: reason ?? 'it has no score on validation' });
  }
  refused.sort((a, b) => a.ordinal - b.ordinal);
  const root = contenders.find(({ finalist }) => finalist.ordinal === 0);
  if (root === undefined) {
    const why = refused.find(({ ordinal }) => ordinal === 0)?.reason ?? 'it was not measured';
    return { winner: 0, reason: `the root stays: nothing can be compared with it (${why})`, refused };
  }
  const [best = root] = contenders.toSorted(byRank);
  return { winner: best.finalist.ordinal, reason: reasonOf(rule, best, root, contenders.length - 1), refused };
}

function byRank(a: Contender, b: Contender): number {
  return (
    b.score - a.score ||
    Number(b.finalist.ordinal === 0) - Number(a.finalist.ordinal === 0) ||
    a.finalist.changedLines - b.finalist.changedLines ||
    compare(a.finalist.commit, b.finalist.commit) ||
    compare(a.finalist.validation.identity ?? '', b.finalist.validation.identity ?? '')
  );
}

/** By code units, which no locale changes. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function scoreOf({ objectives: [primary] }: Rule, { scores }: Validation): number | null {
  const score = primary === undefined ? undefined : scores?.[primary.name];
  if (primary === undefined || score === undefined) return null;
  return primary.direction === 'maximize' ? score : 0 - score;
}

/** Why a finalist cannot win, or null. */
function refusal(rule: Rule, { ordinal, validation }: Finalist): string | null {
  if (validation.status !== 'valid') {
    return `validation refuses it (${validation.kind ?? 'other'}: ${validation.summary ?? 'no reason given'})`;
  }
  if (ordinal === 0) return null;
  for (const gate of rule.gates) {
    const reason = failed(rule, gate, validation);
    if (reason !== null) return reason;
  }
  return null;
}

/** What a gate has against a valid evaluation, or null. Both ends of its range are let through. */
function failed(rule: Rule, gate: Finals['gates'][number], validation: Validation): string | null {
  const { name, of, min, max } = gate;
  const what = of === 'bound' ? `the bound of ${name}` : name;
  const value = of === 'bound' ? boundOf(rule, name, validation) : measuredAs(name, validation);
  if (value === undefined) return `${what} was not measured, and a gate asks for it`;
  if (min !== undefined && value < min) return `${what} is ${value}, below ${min}`;
  if (max !== undefined && value > max) return `${what} is ${value}, above ${max}`;
  return null;
}

function measuredAs(name: string, { objectives, metrics }: Validation): number | undefined {
  return objectives?.[name] ?? metrics?.[name];
}

/** The worse end of an interval; only objectives have a worse direction. */
function boundOf({ objectives }: Rule, name: string, { intervals }: Validation): number | undefined {
  const objective = objectives.find((declared) => declared.name === name);
  const bound = objective === undefined ? null : lowerBound(objective, intervals?.[name]);
  if (objective === undefined || bound === null) return undefined;
  return objective.direction === 'maximize' ? bound : 0 - bound;
}

function reasonOf({ objectives: [primary] }: Rule, best: Contender, root: Contender, others: number): string {
  const name = primary?.name ?? '';
  const shown = ({ finalist }: Contender): string => `${name} ${finalist.validation.scores?.[name]}`;
  if (best !== root)
    return `job ${best.finalist.ordinal} has the best score on validation: ${shown(best)}, the root ${shown(root)}`;
  if (others === 0) return 'the root stays: no candidate may win';
  return `the root stays: none of ${others} candidates scores better on validation than its ${shown(root)}`;
}
