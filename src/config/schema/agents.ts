import * as z from 'zod';
import { count, duration, environmentName, kinded, line, positive } from './values.ts';

const provider = line.default('openai').describe('A name under providers, or a built-in one.');

const mutateSchema = z.strictObject({
  kind: z.literal('mutate').describe('Offline edits on syntax trees; needs no key.'),
  timeout: duration.default('2m'),
  edits: z
    .strictObject({ min: positive.max(64).default(1), max: positive.max(64).default(3) })
    .prefault({})
    .describe('How many edits one proposal makes.'),
});

/** What the processes of agents have in common. */
const process = {
  timeout: duration.default('90m').describe('For a whole proposal, above all retries.'),
  env: z.array(environmentName).default([]).describe('Names of environment variables passed to the agent.'),
  network: z.boolean().default(false).describe('Whether the agent may use the network; model calls need none.'),
};

const commandSchema = z.strictObject({
  kind: z.literal('command').describe('Any coding agent with a command line.'),
  preset: z
    .enum(['codex', 'claude', 'opencode', 'kilo', 'gemini', 'aider'])
    .optional()
    .describe('How a known agent is called, configured and read.'),
  command: z
    .array(line)
    .min(1)
    .optional()
    .describe('Executable and arguments; with a preset: what to run in the place of its executable.'),
  provider,
  model: line.optional().describe('The model, for a preset.'),
  ...process,
});

const acpSchema = z.strictObject({
  kind: z.literal('acp').describe('Any agent that speaks the Agent Client Protocol.'),
  preset: z.enum(['codex', 'opencode', 'kilo', 'gemini']).optional().describe('How a known agent is started.'),
  command: z
    .array(line)
    .min(1)
    .optional()
    .describe('Executable and arguments; with a preset: what to run in the place of its executable.'),
  provider,
  model: line.optional().describe('The model, where the agent or its session can be told of one.'),
  ...process,
});

const openaiSchema = z.strictObject({
  kind: z.literal('openai').describe('The built-in agent, on any OpenAI-compatible server.'),
  provider,
  model: line.describe('The model.'),
  api: z.enum(['responses', 'chat']).default('chat').describe('Which of the two interfaces the server speaks.'),
  format: z
    .enum(['tools', 'diff', 'whole'])
    .default('tools')
    .describe('How it edits: by tools, or (weak models) by one answer with a diff or whole files.'),
  turns: positive.max(1000).default(60).describe('Answers of the model in one proposal.'),
  output_tokens: positive.default(16_000).describe('Of one answer.'),
  context_tokens: positive.default(120_000).describe('Older turns are cut to stay below.'),
  temperature: z.number().min(0).max(2).optional(),
  reasoning: z.enum(['minimal', 'low', 'medium', 'high']).optional().describe('Effort, where the model has it.'),
  timeout: duration.default('60m').describe('For a whole proposal, above all retries.'),
});

const replaySchema = z.strictObject({
  kind: z.literal('replay').describe('The recorded proposals of another campaign, without any provider.'),
  from: line.describe('A recording: a folder that clade export --recording made; relative to the campaign.'),
  timeout: duration.default('2m'),
});

const kinds = z.discriminatedUnion('kind', [mutateSchema, commandSchema, acpSchema, openaiSchema, replaySchema]);
const coderSchema = kinded('mutate', ['mutate'], kinds);
const plannerKinds = z.discriminatedUnion('kind', [openaiSchema, commandSchema, acpSchema]);

export const agentsSchema = z
  .strictObject({
    concurrency: positive.max(1024).default(2).describe('Agents at work at the same time.'),
    planner: kinded('openai', [], plannerKinds)
      .optional()
      .describe('Reads, and writes a plan that the coder is given; its edits are discarded.'),
    coder: coderSchema.prefault('mutate').describe('Who writes the code.'),
    ensemble: z
      .array(z.strictObject({ name: line, weight: z.number().gt(0).default(1), coder: coderSchema }))
      .min(1)
      .max(32)
      .optional()
      .describe('Several coders, in the place of coder.'),
    choose: z
      .enum(['weights', 'bandit'])
      .default('weights')
      .describe('Who of the ensemble is asked: by weight, or who improves most for what it costs.'),
    rework: count
      .max(8)
      .default(0)
      .describe('Times that a candidate which fails build or test goes back to its coder.'),
    novelty: z
      .number()
      .min(0)
      .max(2)
      .default(0)
      .describe('A proposal nearer than this (cosine distance) to a retained one is reworked once; 0 = off.'),
    brief: z
      .strictObject({
        without: z
          .array(z.enum(['constraints', 'lineage', 'inspirations', 'evidence', 'files', 'failures', 'lessons']))
          .default([])
          .describe('Sections that are left out.'),
        lessons_every: count
          .default(0)
          .describe('Jobs after which the lessons are written anew by a model; 0 = never.'),
        metrics: count.max(16).default(4).describe('Metrics of an evaluation that are told.'),
      })
      .prefault({})
      .describe('What agents are told.'),
  })
  .describe('Who proposes candidates. Live: a change takes effect without a restart.');
