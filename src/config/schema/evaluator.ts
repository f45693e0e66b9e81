import * as z from 'zod';
import { count, duration, environmentName, line, objectiveName, positive } from './values.ts';

const split = z.enum(['train', 'validation', 'holdout']);

const objectiveSchema = z.strictObject({
  name: objectiveName.describe('The key of this number in the evaluator’s result.'),
  direction: z.enum(['maximize', 'minimize']),
  epsilon: z.number().min(0).default(0).describe('Differences below this are noise, in the unit of the objective.'),
  rank_by: z
    .enum(['value', 'bound'])
    .default('value')
    .describe('What the search goes by: the value, or the worse end of its interval.'),
});

/** An empty range lets everything pass, which is always a slip. */
const range = z
  .strictObject({ min: z.number().optional(), max: z.number().optional() })
  .refine(({ min, max }) => min !== undefined || max !== undefined, { error: 'must have min, max or both' });

const stepSchema = z.strictObject({
  name: objectiveName.describe('Shown in records and briefs.'),
  kind: z.enum(['build', 'test', 'gate', 'scope', 'benchmark', 'other']).describe('What a failure of it means.'),
  command: z.array(line).min(1).describe('Executable and arguments; ./x is a file of the campaign folder.'),
  timeout: duration.optional().describe('Its own deadline; evaluator.timeout by default.'),
  require: z
    .record(objectiveName, range)
    .default({})
    .describe('Ranges for objectives or metrics known by then; a candidate outside is refused at once.'),
});

const hiddenSchema = z.union([
  line,
  z.strictObject({ path: line, splits: z.array(split).min(1).describe('Evaluations of these splits see it.') }),
]);

const gateSchema = z
  .strictObject({
    name: objectiveName.describe('An objective or a metric of the validation.'),
    of: z.enum(['value', 'bound']).default('value').describe('bound: the worse end of the interval.'),
    min: z.number().optional(),
    max: z.number().optional(),
  })
  .refine(({ min, max }) => min !== undefined || max !== undefined, { error: 'must have min, max or both' });

const finalsSchema = z
  .strictObject({
    finalists: positive.max(1000).default(10).describe('The best on train that are measured on validation.'),
    every: count.default(0).describe('Also a checkpoint each time so many jobs are settled; 0 = only at the end.'),
    gates: z.array(gateSchema).default([]).describe('What a winner other than the root must meet on validation.'),
  })
  .describe('How one winner is chosen where there is a validation split.');

const remeasureSchema = z
  .strictObject({
    incumbent: z
      .boolean()
      .default(false)
      .describe('Measure a candidate that would take the lead again, and the leader beside it.'),
    jump: z
      .number()
      .min(0)
      .default(0.5)
      .describe('A relative gain over the leader above this is measured again before it counts; 0 = never.'),
  })
  .describe('What a lucky number must pass before the search believes it.');

export const evaluatorSchema = z
  .strictObject({
    command: z
      .array(line)
      .min(1)
      .optional()
      .describe('Executable and arguments; ./x is a file of the campaign folder. This or steps.'),
    steps: z
      .array(stepSchema)
      .min(1)
      .max(32)
      .optional()
      .describe('Named commands, run in order in one checkout; the first failure decides.'),
    prepare: z
      .array(line)
      .min(1)
      .optional()
      .describe(
        'Run once per lane and split before any candidate; then the root checkout and CLADE_CACHE are read-only.',
      ),
    timeout: duration.default('10m').describe('After this the whole process tree is ended; of each step.'),
    grace: duration.default('5s').describe('Between the request to end and the kill.'),
    concurrency: positive.max(1024).default(1).describe('Evaluations at the same time. Live.'),
    cpus: z
      .union([z.literal('auto'), z.array(count)])
      .default([])
      .describe('CPUs of which each evaluation gets one alone, machine-wide; auto is all of them. Live.'),
    objectives: z.array(objectiveSchema).min(1).max(16).describe('What is optimised; the first is the primary.'),
    splits: z.array(split).min(1).default(['train']).describe('Data splits; the search itself sees train alone.'),
    hidden: z
      .array(hiddenSchema)
      .default([])
      .describe(
        'Paths that no agent may see, nor evaluations of other splits; without splits: all declared but train.',
      ),
    remeasure: remeasureSchema.prefault({}),
    finals: finalsSchema.prefault({}),
    network: z.boolean().default(false).describe('Whether an evaluation may use the network.'),
    env: z.array(environmentName).default([]).describe('Names of environment variables passed to the evaluator.'),
  })
  .refine(({ command, steps }) => command !== undefined || steps !== undefined, {
    path: ['command'],
    error: 'is missing: the command of the evaluator, or evaluator.steps',
  })
  .refine(({ command, steps }) => command === undefined || steps === undefined, {
    path: ['steps'],
    error: 'excludes evaluator.command: the evaluator is one command or a list of steps',
  })
  .describe('The only authority on fitness. Frozen at the first run, but for concurrency and cpus.');
