import * as z from 'zod';
import { environmentName, positive } from './values.ts';

const dollars = z.number().min(0);

const priceSchema = z.strictObject({
  input: dollars.describe('US dollars for a million tokens.'),
  cached: dollars.optional().describe('For input from the provider’s cache; input by default.'),
  output: dollars,
});

const providerSchema = z.strictObject({
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  api_key_env: environmentName
    .nullable()
    .optional()
    .describe('Name of the variable that holds the key; null where none is needed.'),
  prices: z.record(z.string().min(1), priceSchema).default({}).describe('By model; wins over the built-in list.'),
  concurrency: positive.max(1024).default(64).describe('Requests at the same time.'),
});

export const providersSchema = z
  .record(
    z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, { error: 'must be lower-case letters, digits, "-" or "_"' }),
    providerSchema,
  )
  .default({})
  .describe('Model servers by name. Live.');
