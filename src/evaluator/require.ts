import type { EvaluatorStep, Range } from '../config/index.ts';
import { type InvalidEvaluation, invalid } from './evaluation.ts';
import type { Findings } from './findings.ts';

/**
 * What a step requires of what is known after it, or null when all of it holds. A name is that of an objective, else of a
 * metric; of an objective it is the value that counts, not its bound. A number that nobody reported is `malformed` and not
 * passed over: a threshold that is skipped in silence is no threshold.
 */
export function unmet(step: EvaluatorStep, found: Findings): InvalidEvaluation | null {
  for (const [name, range] of Object.entries(step.require)) {
    const value = found.objectives[name] ?? found.metrics[name];
    if (value === undefined) {
      return invalid('malformed', `${step.name} requires ${name}, which no step reported by then`, found.evidence);
    }
    if (value < (range.min ?? Number.NEGATIVE_INFINITY) || value > (range.max ?? Number.POSITIVE_INFINITY)) {
      const summary = `${name} is ${value}, ${step.name} requires ${described(range)}`;
      return invalid(step.kind ?? 'gate', summary, found.evidence);
    }
  }
  return null;
}

function described({ min, max }: Range): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}
