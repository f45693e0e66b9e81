import { cutMiddle } from './brief/text.ts';
import type { AgentEvent } from './event.ts';
import { summarise } from './proposal.ts';

/** Longer ones say more than a coder can follow. */
const PLAN_CHARACTERS = 16_000;

/** What a run of a planner came to. */
export type Plan = { readonly kind: 'plan'; readonly text: string } | { readonly kind: 'none'; readonly why: string };

/**
 * The plan that a planner ended with: the summary of its proposal, else its last message. A summary that is no more than the end of a
 * message stands for all of it: programs are summed up by the end of what they print.
 */
export function planOf(events: readonly AgentEvent[]): Plan {
  const { outcome, summary } = summarise(events);
  if (outcome.kind !== 'finished') return { kind: 'none', why: `the planner gave no plan: ${outcome.detail}` };
  const messages = events.flatMap((event) => (event.type === 'message' ? [event.text.trim()] : []));
  const said = summary.trim();
  const text = messages.findLast((message) => message !== '' && message.endsWith(said)) ?? said;
  if (text === '') return { kind: 'none', why: 'the planner said nothing' };
  return { kind: 'plan', text: cutMiddle(text, PLAN_CHARACTERS) };
}
