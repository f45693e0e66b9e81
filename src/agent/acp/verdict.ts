import type { RunEnd } from '../../process/index.ts';
import type { AgentEvent } from '../event.ts';
import { finishedSaying } from '../process/said.ts';
import type { Ending } from './talk.ts';

export interface Ended {
  /** The agent's. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly ending: Ending;
  readonly end: RunEnd;
  /** What it said last. */
  readonly last: string;
  /** The last line that it printed elsewhere; empty: none. */
  readonly complaint: string;
}

/** The last event of a talk that nobody else interrupted. An agent that ran out of its own turns or tokens has finished: what is left counts. */
export function verdict({ name, timeoutMs, ending, end, last, complaint }: Ended): AgentEvent {
  if (end.kind === 'limit') return { type: 'failed', kind: 'crash', detail: `${name}: ${end.message}` };
  switch (ending.kind) {
    case 'cancelled':
      return {
        type: 'failed',
        kind: 'timeout',
        detail: `${name} was ended after ${timeoutMs} ms, before it answered ${ending.stage}`,
      };
    case 'failed':
      return { type: 'failed', kind: 'crash', detail: `${name} ${ending.detail}` };
    case 'gone':
      return {
        type: 'failed',
        kind: 'crash',
        detail: `${name} ended before it answered ${ending.stage} (${wayOf(end)})${complaint === '' ? '' : `: ${complaint}`}`,
      };
    case 'stopped':
      if (ending.reason === 'refusal') {
        return {
          type: 'failed',
          kind: 'refused',
          detail: `${name} refused: ${last.trim().slice(-2_000).toWellFormed()}`,
        };
      }
      if (ending.reason === 'cancelled') {
        return { type: 'failed', kind: 'crash', detail: `${name} cancelled its turn, which nobody asked for` };
      }
      return finishedSaying(name, last);
  }
}

function wayOf(end: RunEnd): string {
  if (end.kind === 'exit') return `exit code ${end.code}`;
  return end.kind === 'signal' ? `by ${end.signal}` : 'it closed its output';
}
