import { writeFileSync } from 'node:fs';
import { type InvalidKind, Refusal } from './refusal.ts';

/** What an evaluator says (the evaluator contract). Every number must be finite. */
export type Result =
  | {
      readonly status: 'valid';
      readonly objectives: Readonly<Record<string, number>>;
      /** [low, high] in the units of the objective. */
      readonly intervals?: Readonly<Record<string, readonly [number, number]>>;
      /** Equal identities share one measurement: the hash of what was built, say. */
      readonly identity?: string;
      readonly metrics?: Readonly<Record<string, number>>;
      readonly features?: Readonly<Record<string, number>>;
      readonly summary?: string;
      readonly evidence?: string;
    }
  | {
      readonly status: 'invalid';
      readonly kind: InvalidKind;
      readonly summary: string;
      readonly evidence?: string;
    };

/**
 * Writes the result to CLADE_RESULT, or as a line of its own to stdout when there is none, as strict JSON.
 *
 * @throws Refusal when a number is not finite: JSON has none of those, and `JSON.stringify` would write null
 */
export function writeResult(result: Result): void {
  const text = JSON.stringify(result, (key, value: unknown) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    throw new Refusal('benchmark', `the number "${key}" of the result is ${value}`);
  });
  const path = process.env.CLADE_RESULT;
  if (path === undefined || path === '') process.stdout.write(`${text}\n`);
  else writeFileSync(path, text);
}
