import type { SectionWriter } from './brief.ts';
import { prose } from './text.ts';

const ASKED = `Read the code and decide on one change. Then answer with a plan for the programmer who will make it: the idea and why it should help, the files and functions to change and how, what must not break, and how to tell that it works. Change nothing yourself: whatever you edit is thrown away.`;
const GIVEN =
  'Somebody read the code before you and wrote this. Follow it as far as the code bears it out; you answer for the result.';

/** For the planner the request for a plan, for the coder the plan. */
export const plan: SectionWriter = {
  name: 'plan',
  title: 'Plan',
  limit: 12_000,
  write: (input) => {
    if (input.audience === 'planner') return ASKED;
    return input.plan.trim() === '' ? null : `${GIVEN}\n\n${prose(input.plan, 11_500)}`;
  },
};
