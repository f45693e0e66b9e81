import { z } from 'zod';
import {
  clip,
  EVIDENCE_LENGTH,
  type Evaluation,
  type InvalidEvaluation,
  invalid,
  oneLine,
  REPORTED_KINDS,
} from './evaluation.ts';
import { complete, type Findings } from './findings.ts';
import type { Ranked } from './scores.ts';

/** A larger result is a mistake of the evaluator; big things are artifacts. */
export const MAX_RESULT_BYTES = 2 ** 20;

const NAME_LENGTH = 200;
const IDENTITY_LENGTH = 500;
const MAX_NUMBERS = 1_000;
const SHOWN_ISSUES = 5;

const texts = { summary: z.string().default(''), evidence: z.string().default('') };
const name = z.string().max(NAME_LENGTH).refine(storable, 'must be text without NUL');
// z.number() takes finite numbers only: 1e999, which JSON.parse reads as Infinity, is refused like strings and booleans.
const numbers = z
  .record(name, z.number())
  .refine((record) => Object.keys(record).length <= MAX_NUMBERS, `must have at most ${MAX_NUMBERS} entries`)
  .default({});
const identity = z.string().min(1).max(IDENTITY_LENGTH).refine(storable, 'must be text without NUL').nullable();
const interval = z
  .tuple([z.number(), z.number()])
  .refine(([low, high]) => low <= high, 'must be [low, high] with low ≤ high')
  .optional();
const invalidSchema = z.object({ status: z.literal('invalid'), kind: z.enum(REPORTED_KINDS), ...texts });

/**
 * Reads what an evaluator wrote (design: the evaluator contract). Never throws: what does not keep to the contract is an
 * invalid evaluation of kind `malformed` with the reason and the text as evidence.
 *
 * Undeclared objectives and intervals are left out. Of a key that is written twice the last one counts, as everywhere in
 * JavaScript. An interval need not hold its value, which an evaluator may have rounded differently.
 */
export function parseResult(text: string, objectives: readonly Ranked[]): Evaluation {
  const found = read(text, validSchema(objectives, true));
  return found.status === 'invalid' ? found : complete(withoutStatus(found), objectives, text);
}

/** Like `parseResult`, of a step that need not know every objective. */
export function parseFindings(text: string, objectives: readonly Ranked[]): Findings | InvalidEvaluation {
  const found = read(text, validSchema(objectives, false));
  return found.status === 'invalid' ? found : withoutStatus(found);
}

type Found = Findings & { readonly status: 'valid' };

function withoutStatus({ status: _, ...findings }: Found): Findings {
  return findings;
}

function read(text: string, valid: ReturnType<typeof validSchema>): Found | InvalidEvaluation {
  if (Buffer.byteLength(text) > MAX_RESULT_BYTES) {
    return invalid('malformed', `the result is larger than ${MAX_RESULT_BYTES} bytes`, text);
  }
  if (text.trim() === '') return invalid('malformed', 'the evaluator wrote no result', '');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return invalid('malformed', `the result is not JSON: ${error instanceof Error ? error.message : error}`, text);
  }
  const parsed = z.discriminatedUnion('status', [valid, invalidSchema]).safeParse(json);
  if (!parsed.success) return invalid('malformed', reasons(parsed.error), text);
  const result = parsed.data;
  if (result.status === 'invalid') return invalid(result.kind, result.summary, result.evidence);
  return {
    ...result,
    objectives: present(result.objectives),
    intervals: present(result.intervals),
    summary: oneLine(result.summary),
    evidence: clip(result.evidence, EVIDENCE_LENGTH),
  };
}

function present<T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}

function validSchema(objectives: readonly Ranked[], whole: boolean) {
  const names = objectives.map(({ name }) => name);
  const some = z.object(Object.fromEntries(names.map((name) => [name, z.number().optional()]))).default({});
  const all = z.object(Object.fromEntries(names.map((name) => [name, z.number()])));
  return z.object({
    status: z.literal('valid'),
    objectives: whole ? all : some,
    intervals: z.object(Object.fromEntries(names.map((name) => [name, interval]))).default({}),
    identity: identity.default(null),
    metrics: numbers,
    features: numbers,
    ...texts,
  });
}

function reasons(error: z.ZodError): string {
  const all = error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'the result' : path.join('.')}: ${message}`,
  );
  const more = all.length > SHOWN_ISSUES ? [`and ${all.length - SHOWN_ISSUES} more`] : [];
  return [...all.slice(0, SHOWN_ISSUES), ...more].join('; ');
}

function storable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
