import type { AgentEvent } from '../event.ts';

const SUMMARY_CHARACTERS = 2_000;

/** A proposal in the words of the agent that ended with `text`: the first line is its title, the end its summary. */
export function finishedSaying(name: string, text: string): AgentEvent {
  const said = text.trim();
  const title = said.split('\n', 1)[0] ?? '';
  return {
    type: 'finished',
    title: title === '' ? name : title,
    summary: said.slice(-SUMMARY_CHARACTERS).toWellFormed(),
  };
}
