import { z } from 'zod';
import { defineTool } from './define.ts';

const NAME = 'finish';

/** Ends the work with what the model says of it. */
export const finish = defineTool({
  name: NAME,
  description: 'Ends the work. Call it when the change is complete and nothing is left to do.',
  input: z.object({
    title: z
      .string()
      .min(1)
      .describe('What was changed, in one line of at most 72 characters: the subject of the commit.'),
    summary: z.string().default('').describe('Why it should help, in a few sentences.'),
  }),
  run: async (said) => ({ text: 'done', finished: said }),
});

/** The same for a planner, who is done when there is a plan. */
export const finishPlan = defineTool({
  name: NAME,
  description: 'Ends the work with the plan.',
  input: z.object({
    title: z.string().min(1).describe('What is to be changed, in one line.'),
    summary: z.string().min(1).describe('The plan.'),
  }),
  run: async (said) => ({ text: 'done', finished: said }),
});
