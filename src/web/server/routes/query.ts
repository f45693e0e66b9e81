import { z } from 'zod';

const MAX_PAGE = 1000;

/** What the database holds in an integer column; `Number` alone would take an empty text for 0. */
export const whole = z
  .string()
  .regex(/^\d{1,10}$/, 'a whole number was expected')
  .transform(Number)
  .refine((value) => value <= 2 ** 31 - 1, 'this number is too large');

export const pageSize = whole
  .refine((value) => value >= 1 && value <= MAX_PAGE, `a number from 1 to ${MAX_PAGE} was expected`)
  .default(100);
