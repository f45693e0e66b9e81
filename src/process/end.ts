import { constants } from 'node:os';
import type { RunEnd } from './request.ts';

/** How the leader ended, as the kernel says it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [128 + number, name]));

/** `encodesSignals`: the leader is a shell or bubblewrap, which report a death by signal n as exit code 128 + n. */
export function endOf(exit: Exit, encodesSignals: boolean): RunEnd {
  if (exit.signal !== null) return { kind: 'signal', signal: exit.signal };
  const code = exit.code ?? -1;
  const name = encodesSignals ? SIGNALS.get(code) : undefined;
  return name === undefined ? { kind: 'exit', code } : { kind: 'signal', signal: name };
}
