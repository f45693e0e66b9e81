import type { AgentEvent, Doubt, FailureKind } from './event.ts';

export type Outcome =
  | { readonly kind: 'finished'; readonly doubt?: Doubt }
  | { readonly kind: FailureKind; readonly detail: string };

/** What a run of an agent came to. */
export interface Proposal {
  /** One line, at most 100 characters: the subject of the commit. */
  readonly title: string;
  readonly summary: string;
  readonly outcome: Outcome;
  /** The messages of the run in order, one a line. */
  readonly transcript: string;
}

const MAX_TITLE = 100;

/** Folds the events of one run. A run without a last word counts as a crash. */
export function summarise(events: Iterable<AgentEvent>): Proposal {
  const lines: string[] = [];
  let title = '';
  let summary = '';
  let outcome: Outcome = { kind: 'crash', detail: 'the agent ended without a word' };
  for (const event of events) {
    switch (event.type) {
      case 'message':
        lines.push(event.text);
        break;
      case 'edit':
        lines.push(`${event.path}: ${event.description}`);
        break;
      case 'finished':
        title = oneLine(event.title);
        summary = event.summary;
        outcome = { kind: 'finished', ...(event.doubt === undefined ? {} : { doubt: event.doubt }) };
        break;
      case 'failed':
        title = oneLine(`${event.kind}: ${event.detail}`);
        summary = event.detail;
        outcome = { kind: event.kind, detail: event.detail };
        break;
    }
  }
  return { title, summary, outcome, transcript: lines.join('\n') };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1)}…`;
}
