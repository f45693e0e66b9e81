import type * as z from 'zod';

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'a mapping of keys to values',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/** Says what the schema found in the words of someone who writes YAML; follows the dotted name of the key. */
export const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${typeWording(issue.expected, issue.input)}`;
    case 'invalid_value':
      return `must be ${alternatives(issue.values)}, not ${shown(issue.input)}`;
    case 'invalid_union':
      return `must be ${alternatives(Array.isArray(issue.options) ? issue.options : [])}`;
    case 'too_small':
      return limitWording(issue.origin, issue.minimum, issue.inclusive ? 'at least' : 'more than', issue.input);
    case 'too_big':
      return limitWording(issue.origin, issue.maximum, issue.inclusive ? 'at most' : 'less than', issue.input);
    default:
      return undefined;
  }
};

function typeWording(expected: string, input: unknown): string {
  // Infinity and NaN are numbers to YAML and to nobody else.
  const kind =
    expected === 'number' && typeof input === 'number' ? 'a finite number' : (EXPECTED[expected] ?? expected);
  const wanted = `${kind}, not ${shown(input)}`;
  // 1234567 is a number to YAML even where it is meant as an abbreviated commit.
  return expected === 'string' && typeof input !== 'object' ? `${wanted}; put it in quotes` : wanted;
}

function limitWording(origin: string, limit: number | bigint, bound: string, input: unknown): string {
  if (origin === 'string') return `must have ${bound} ${limit} character${limit === 1 ? '' : 's'}`;
  if (origin === 'array') return `must have ${bound} ${limit} entr${limit === 1 ? 'y' : 'ies'}`;
  return `must be ${bound} ${limit}, not ${shown(input)}`;
}

function alternatives(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))).join(' or ');
}

function shown(input: unknown): string {
  if (Array.isArray(input)) return 'a list';
  if (input === null) return 'nothing';
  if (typeof input === 'object') return 'a mapping';
  return typeof input === 'string' ? `"${input.length > 60 ? `${input.slice(0, 60)}…` : input}"` : String(input);
}
