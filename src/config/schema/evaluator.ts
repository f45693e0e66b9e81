import * as z from 'zod';
import { count, duration, environmentName, line, lines, objectiveName, positive } from './values.ts';

const objectiveSchema = z.strictObject({
  name: objectiveName.describe('The key of this number in the evaluator’s result.'),
  direction: z.enum(['maximize', 'minimize']),
  epsilon: z.number().min(0).default(0).describe('Differences below this are noise, in the unit of the objective.'),
});

export const evaluatorSchema = z
  .strictObject({
    command: z.array(line).min(1).describe('Executable and arguments; ./x is a file of the campaign folder.'),
    timeout: duration.default('10m').describe('After this the whole process tree is ended.'),
    grace: duration.default('5s').describe('Between the request to end and the kill.'),
    concurrency: positive.max(1024).default(1).describe('Evaluations at the same time. Live.'),
    cpus: z.array(count).default([]).describe('CPUs that evaluations are pinned to, one each. Live.'),
    objectives: z.array(objectiveSchema).min(1).max(16).describe('What is optimised; the first is the primary.'),
    splits: z
      .array(z.enum(['train', 'validation', 'holdout']))
      .min(1)
      .default(['train'])
      .describe('Data splits; only train is used so far.'),
    hidden: lines.default([]).describe('Paths that no agent may see.'),
    network: z.boolean().default(false).describe('Whether an evaluation may use the network.'),
    env: z.array(environmentName).default([]).describe('Names of environment variables passed to the evaluator.'),
  })
  .describe('The only authority on fitness. Frozen at the first run, but for concurrency and cpus.');
