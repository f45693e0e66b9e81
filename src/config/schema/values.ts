import * as z from 'zod';
import { DURATION } from '../duration.ts';
import { isRecord } from '../key-path.ts';
import { SIZE } from '../size.ts';

/** The small values that the sections of the campaign file are made of. */

/** No process argument and no database text can hold a NUL. */
export const text = z.string().refine((value) => !value.includes('\0'), { error: 'must not contain a NUL character' });

export const line = text.min(1);

export const lines = z.array(line);

const DURATION_MESSAGE = 'must be a duration such as 90s, 2m or 5h';

export const duration = z.string({ error: DURATION_MESSAGE }).regex(DURATION, { error: DURATION_MESSAGE });

const SIZE_MESSAGE = 'must be a size such as 512MiB or 8GiB';

export const size = z.string({ error: SIZE_MESSAGE }).regex(SIZE, { error: SIZE_MESSAGE });

export const count = z.int().min(0);

export const positive = z.int().min(1);

/** A name that both JSON results and file names carry without quoting. */
export const objectiveName = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,62}$/, {
  error: 'must be a letter followed by at most 62 letters, digits, "_", "." or "-"',
});

export const CAMPAIGN_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const CAMPAIGN_NAME_MESSAGE = 'must be 1 to 63 lower-case letters, digits or "-", not "-" first';

export const environmentName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable, not its value' });

/**
 * A section with a `kind`: the bare word `local` means `{kind: local}`, and a mapping without `kind` means the
 * `fallback`. The words are kept in the metadata, from which the published schema is completed.
 */
export function kinded<Options extends z.ZodDiscriminatedUnion>(fallback: string, words: string[], options: Options) {
  return z
    .preprocess((value) => {
      if (typeof value === 'string') return { kind: value };
      return isRecord(value) && !Object.hasOwn(value, 'kind') ? { kind: fallback, ...value } : value;
    }, options)
    .meta({ words, fallback });
}
