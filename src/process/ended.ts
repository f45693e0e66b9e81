import { channel } from 'node:diagnostics_channel';
import type { Exit } from './end.ts';

/** A child that ended, for whoever wants to know of all of them. */
export interface ChildEnd {
  readonly file: string;
  /** The first ones. */
  readonly argv: readonly string[];
  readonly durationMs: number;
  readonly exit: Exit;
}

/** Where it is told, within the asynchronous context that started the child. */
export const CHILD_ENDED = channel('clade:child-ended');

const MOST_ARGUMENTS = 24;
const MOST_CHARACTERS = 200;

/** Tells of a child when it ends, if anybody listens. */
export function tellEnd(
  { file, argv }: { readonly file: string; readonly argv: readonly string[] },
  exited: Promise<Exit>,
): void {
  if (!CHILD_ENDED.hasSubscribers) return;
  const began = performance.now();
  const shown = argv.slice(0, MOST_ARGUMENTS).map((argument) => argument.slice(0, MOST_CHARACTERS));
  const told = (exit: Exit): void => {
    const end: ChildEnd = { file, argv: shown, durationMs: performance.now() - began, exit };
    CHILD_ENDED.publish(end);
  };
  // When the launcher is gone there is no end to tell of.
  exited.then(told, () => undefined);
}
