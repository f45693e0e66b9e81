import { clip, EVIDENCE_LENGTH, type Evaluation, invalid } from './evaluation.ts';
import { type Ranked, scoresOf } from './scores.ts';

/** What the steps of an evaluator have reported of a candidate so far; not yet all that is declared. */
export interface Findings {
  readonly objectives: Readonly<Record<string, number>>;
  readonly intervals: Readonly<Record<string, readonly [number, number]>>;
  readonly identity: string | null;
  readonly metrics: Readonly<Record<string, number>>;
  readonly features: Readonly<Record<string, number>>;
  readonly summary: string;
  readonly evidence: string;
}

export const NO_FINDINGS: Findings = {
  objectives: {},
  intervals: {},
  identity: null,
  metrics: {},
  features: {},
  summary: '',
  evidence: '',
};

/** Key by key the later step wins. An objective that it gives anew loses the interval of its earlier value. */
export function merge(before: Findings, later: Findings): Findings {
  const kept = Object.entries(before.intervals).filter(([name]) => later.objectives[name] === undefined);
  const evidence = [before.evidence, later.evidence].filter((text) => text !== '').join('\n\n');
  return {
    objectives: { ...before.objectives, ...later.objectives },
    intervals: { ...Object.fromEntries(kept), ...later.intervals },
    identity: later.identity ?? before.identity,
    metrics: { ...before.metrics, ...later.metrics },
    features: { ...before.features, ...later.features },
    summary: later.summary === '' ? before.summary : later.summary,
    evidence: clip(evidence, EVIDENCE_LENGTH),
  };
}

/**
 * The evaluation that the findings make: `malformed` when a declared objective is missing, or the interval of one that is
 * ranked by its bound. Objectives come in the order of their declaration.
 */
export function complete(found: Findings, declared: readonly Ranked[], text: string): Evaluation {
  const objectives: Record<string, number> = {};
  for (const { name } of declared) {
    const value = found.objectives[name];
    if (value === undefined) return invalid('malformed', `objectives.${name}: no step reported it`, text);
    objectives[name] = value;
  }
  const ranked = scoresOf(declared, objectives, found.intervals);
  if ('missing' in ranked) {
    return invalid('malformed', `intervals.${ranked.missing}: is ranked by its bound and must be there`, text);
  }
  return { status: 'valid', ...found, objectives, scores: ranked.scores };
}
