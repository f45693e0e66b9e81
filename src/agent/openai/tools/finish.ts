import { z } from 'zod';
import { defineTool } from './define.ts';

export const FINISH = 'finish';

/** What the model says of its work when it is done. */
export const finishInput = z.object({
  title: z
    .string()
    .min(1)
    .describe('What was changed, in one line of at most 72 characters: the subject of the commit.'),
  summary: z.string().default('').describe('Why it should help, in a few sentences.'),
});

export const finish = defineTool({
  name: FINISH,
  description: 'Ends the work. Call it when the change is complete and nothing is left to do.',
  input: finishInput,
  run: async () => ({ text: 'done' }),
});
