import { AsyncLocalStorage } from 'node:async_hooks';
import { CHILD_ENDED, type ChildEnd } from '../../process/index.ts';
import type { Log } from './log.ts';

/** The log of the work that is being done: children are started far below, by code that has no log. */
const scope = new AsyncLocalStorage<Log>();
let listening = false;

/** Does something whose children are told to a log. */
export const within = <T>(log: Log, work: () => Promise<T>): Promise<T> => scope.run(log, work);

/** From now on every child that ends is told to the log that its work is within. Asked again, nothing changes. */
export function listenToChildren(): void {
  if (listening) return;
  listening = true;
  CHILD_ENDED.subscribe((message) => {
    const { file, argv, durationMs, exit } = message as ChildEnd;
    scope.getStore()?.debug({ file, argv, durationMs: Math.round(durationMs), ...exit }, 'child ended');
  });
}
