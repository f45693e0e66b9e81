/** What a job in flight is doing. */
export type Stage = 'waiting' | 'generate' | 'evaluate' | 'trial';

export interface Flight {
  readonly ordinal: number;
  readonly stage: Stage;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** The jobs that this process works on now, for people to look at; nothing is decided by it. */
export interface Flights {
  enter(ordinal: number, stage: Stage): void;
  leave(ordinal: number): void;
  list(): Flight[];
}

export function createFlights(): Flights {
  const flights = new Map<number, Flight>();
  return {
    enter: (ordinal, stage) => flights.set(ordinal, { ordinal, stage, since: Date.now() }),
    leave: (ordinal) => flights.delete(ordinal),
    list: () => [...flights.values()].sort((a, b) => a.ordinal - b.ordinal),
  };
}
