import * as z from 'zod';
import { duration, environmentName, kinded, line, positive } from './values.ts';

const mutateSchema = z.strictObject({
  kind: z.literal('mutate').describe('Offline edits on syntax trees; needs no key.'),
  timeout: duration.default('2m'),
  edits: z
    .strictObject({ min: positive.max(64).default(1), max: positive.max(64).default(3) })
    .prefault({})
    .describe('How many edits one proposal makes.'),
});

const commandSchema = z.strictObject({
  kind: z.literal('command').describe('Any coding agent with a command line; the prompt comes on standard input.'),
  command: z.array(line).min(1).describe('Executable and arguments.'),
  timeout: duration.default('90m'),
  env: z.array(environmentName).default([]).describe('Names of environment variables passed to the agent.'),
  network: z.boolean().default(false).describe('Whether the agent may use the network.'),
});

const coderSchema = kinded('mutate', ['mutate'], z.discriminatedUnion('kind', [mutateSchema, commandSchema]));

export const agentsSchema = z
  .strictObject({
    concurrency: positive.max(1024).default(2).describe('Agents at work at the same time.'),
    coder: coderSchema.prefault('mutate').describe('Who writes the code.'),
  })
  .describe('Who proposes candidates. Live: a change takes effect without a restart.');
