import * as z from 'zod';
import { agentsSchema } from './agents.ts';
import { evaluatorSchema } from './evaluator.ts';
import { notifySchema } from './notify.ts';
import { providersSchema } from './providers.ts';
import { searchSchema } from './search.ts';
import { targetSchema } from './target.ts';
import { CAMPAIGN_NAME, CAMPAIGN_NAME_MESSAGE, duration, line, positive, size, text } from './values.ts';

const kept = z.union([positive, z.literal('all')]).default('all');

/** campaign.yaml as it is written: snake_case keys, durations as text, paths as given. */
export const campaignSchema = z.strictObject({
  name: z
    .string()
    .regex(CAMPAIGN_NAME, { error: CAMPAIGN_NAME_MESSAGE })
    .optional()
    .describe('The folder’s name by default.'),
  target: targetSchema,
  goal: text.regex(/\S/, { error: 'must not be empty' }).describe('What to improve, told to the agent. Frozen.'),
  constraints: z.array(line).default([]).describe('What must not be given up, told to the agent. Frozen.'),
  evaluator: evaluatorSchema,
  agents: agentsSchema.prefault({}),
  providers: providersSchema,
  search: searchSchema.prefault({}),
  budget: z
    .strictObject({
      jobs: positive.default(48).describe('Attempts in all, failed ones included.'),
      wall: duration.optional().describe('Time from the first job on; no limit by default.'),
      no_improvement: z.int().min(0).default(0).describe('End after so many jobs without a better primary; 0 = off.'),
      cost_usd: z.number().gt(0).optional().describe('US dollars for model calls; no limit by default.'),
      tokens: positive.optional().describe('Tokens of model calls, in and out.'),
      job_cost_usd: z.number().gt(0).optional().describe('The same for one job.'),
      job_tokens: positive.optional().describe('The same for one job.'),
    })
    .prefault({})
    .describe('When the search ends. Live.'),
  limits: z
    .strictObject({
      memory: size.default('8GiB').describe('Of all processes of a run together.'),
      file: size.default('4GiB').describe('Of one file.'),
      disk: size.default('16GiB').describe('What one run may write in all.'),
      tmp: size.default('1GiB').describe('Of the private /tmp.'),
      cpu: duration.optional().describe('CPU time of each process; no limit by default.'),
    })
    .prefault({})
    .describe('What one run of an agent or of the evaluator may use at most. Live.'),
  keep: z
    .strictObject({
      artifacts: kept.describe('What evaluations left: pictures, texts.'),
      transcripts: kept.describe('What agents were told and said.'),
      recordings: kept.describe('Model calls as they went over the wire.'),
      logs: kept.describe('What was done for each job.'),
    })
    .prefault({})
    .describe(
      'Of how many of the newest jobs bulky things are kept; `all` by default. Records and commits always stay, and everything of what is retained, best or was in the finals. Live.',
    ),
  notify: notifySchema,
  sandbox: z
    .enum(['required', 'prefer', 'off'])
    .default('prefer')
    .describe('Whether agents and evaluators must run isolated.'),
});

/** The written form with its defaults filled in, but for those that depend on other keys. */
export type WrittenCampaign = z.output<typeof campaignSchema>;
