/** One worker at a time for each name, in order of asking. */
export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Whether somebody has a turn or waits for one. */
  taken(name: string): boolean;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(name, work) {
      const before = last.get(name) ?? Promise.resolve();
      // How the one before ended is told to whoever asked for it.
      const turn = before.then(work, work);
      last.set(name, turn);
      const leave = (): void => {
        if (last.get(name) === turn) last.delete(name);
      };
      turn.then(leave, leave);
      return turn;
    },
    taken: (name) => last.has(name),
  };
}
