import type { RunEnd } from '../../process/index.ts';
import type { AgentEvent } from '../event.ts';
import { finishedSaying } from '../process/said.ts';
import { howEnded } from './ending.ts';

export interface Ended {
  /** The agent's. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly end: RunEnd;
  readonly events: readonly AgentEvent[];
  readonly stderr: string;
}

/**
 * The last event of a run whose output is events. An exit code of 0 proves nothing and another one as little: where it said that it
 * failed, that is why there may be no difference; else what it said last is its summary.
 */
export function lastWord({ name, timeoutMs, end, events, stderr }: Ended): AgentEvent {
  if (end.kind === 'timeout')
    return { type: 'failed', kind: 'timeout', detail: `${name} was ended after ${timeoutMs} ms` };
  if (end.kind === 'limit') return { type: 'failed', kind: 'crash', detail: `${name}: ${end.message}` };
  const failure = events.findLast((event) => event.type === 'failed');
  if (failure !== undefined) return failure;
  const said = events.findLast((event) => event.type === 'message');
  const text = said?.type === 'message' ? said.text.trim() : '';
  const bad = end.kind !== 'exit' || end.code !== 0;
  const detail = `${name}: ${howEnded(end)}: ${stderr.split('\n').at(-1) ?? ''}`;
  if (text === '' && bad) return { type: 'failed', kind: 'crash', detail };
  return { ...finishedSaying(name, text), ...(bad ? { doubt: { kind: 'crash', detail } } : {}) };
}
