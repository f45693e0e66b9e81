import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { InfrastructureError } from '../errors.ts';
import type { Exit } from './end.ts';
import { tellEnd } from './ended.ts';

/** A child to start. Nothing is inherited. */
export interface Program {
  /** Absolute, or a name that is looked up on the PATH of `env`. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it leads a session of its own. */
  readonly detached: boolean;
  /** Absent means /dev/null. */
  readonly stdin?: string | Uint8Array;
  /** Its stdin stays open, for `Launched.input`; nothing in `stdin` then. */
  readonly talks?: boolean;
  /** How many descriptors from 1 on are pipes to us. */
  readonly outputs: number;
}

/** Takes a piece of output; no more comes until what it returns has resolved. */
export type Take = (chunk: Uint8Array) => void | Promise<void>;

/** The stdin of a child that is talked with. */
export interface Input {
  /** Resolves when the child's pipe has taken it, or never will; whoever does not wait for it fills memory for a child that does not read. */
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
}

/** A started child: its events as promises, which reject only when the launcher itself is gone. */
export interface Launched {
  /** Null when it could not be started, for the reason in `failure`. */
  readonly pid: number | null;
  readonly failure: string;
  readonly exited: Promise<Exit>;
  /** All pipes closed by everybody who held them, and what came through them taken. */
  readonly drained: Promise<void>;
  /** Leads nowhere but in a program that `talks`. */
  readonly input: Input;
  /** Lets go of the pipes. */
  release(): void;
}

/** What the launcher is told. */
export type Order =
  | { readonly kind: 'start'; readonly id: number; readonly program: Program }
  | { readonly kind: 'taken'; readonly id: number; readonly output: number }
  /** Null: the end. */
  | { readonly kind: 'input'; readonly id: number; readonly bytes: Uint8Array | null }
  | { readonly kind: 'release'; readonly id: number };

/** What the launcher tells. */
export type Notice =
  | { readonly kind: 'started'; readonly id: number; readonly pid: number | null; readonly failure: string }
  | { readonly kind: 'output'; readonly id: number; readonly output: number; readonly bytes: Uint8Array }
  /** The oldest input that was not said to be accepted yet. */
  | { readonly kind: 'accepted'; readonly id: number }
  | { readonly kind: 'exited'; readonly id: number; readonly exit: Exit }
  | { readonly kind: 'closed'; readonly id: number };

interface Flight {
  readonly takes: readonly Take[];
  /** Of each output, when the last piece that came is taken: at its child's exit Node reads a pipe to its end, paused or not. */
  readonly taken: Promise<void>[];
  /** Of the inputs that are on their way, from the oldest on, who waits for each. */
  readonly written: (() => void)[];
  readonly started: PromiseWithResolvers<{ pid: number | null; failure: string }>;
  readonly exited: PromiseWithResolvers<Exit>;
  readonly drained: PromiseWithResolvers<void>;
}

interface Launcher {
  readonly process: ChildProcess;
  readonly flights: Map<number, Flight>;
}

let launcher: Launcher | undefined;
let lastId = 0;

/**
 * Starts a child through the launcher (see `launcher.ts`), which is started with the first one. `takes[0]` gets what comes on
 * descriptor 1, and so on.
 * @throws InfrastructureError when the launcher died.
 */
export async function launch(program: Program, takes: readonly Take[]): Promise<Launched> {
  launcher ??= startLauncher();
  const { process: child, flights } = launcher;
  lastId += 1;
  const id = lastId;
  const flight: Flight = {
    takes,
    taken: takes.map(() => Promise.resolve()),
    written: [],
    started: Promise.withResolvers(),
    exited: Promise.withResolvers(),
    drained: Promise.withResolvers(),
  };
  // Nobody may be waiting for these when the launcher dies; whoever waits later still gets the rejection.
  for (const { promise } of [flight.exited, flight.drained]) promise.catch(() => {});
  flights.set(id, flight);
  child.channel?.ref();
  tell(child, { kind: 'start', id, program });
  const { pid, failure } = await flight.started.promise;
  tellEnd(program, flight.exited.promise);
  return {
    pid,
    failure,
    exited: flight.exited.promise,
    drained: flight.drained.promise,
    input: {
      write: (bytes) => give(child, id, bytes),
      end: () => tell(child, { kind: 'input', id, bytes: null }),
    },
    release: () => tell(child, { kind: 'release', id }),
  };
}

/** Nobody takes what is written to a child that has ended, which is no failure of the one who writes. */
function give(child: ChildProcess, id: number, bytes: Uint8Array): Promise<void> {
  const flight = launcher?.process === child ? launcher.flights.get(id) : undefined;
  if (flight === undefined) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  flight.written.push(resolve);
  tell(child, { kind: 'input', id, bytes });
  return promise;
}

function takeBackInput({ written }: Flight): void {
  for (const resolve of written.splice(0)) resolve();
}

/** A channel that is closed already is noticed by `disconnect`. */
function tell(child: ChildProcess, order: Order): void {
  if (child.connected) child.send(order, () => {});
}

function startLauncher(): Launcher {
  const child = fork(join(import.meta.dirname, `launcher${extname(import.meta.filename)}`), [], {
    // In a session of its own, so that Ctrl-C reaches us alone; with no variable of ours for its children to inherit.
    detached: true,
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const flights = new Map<number, Flight>();
  const started: Launcher = { process: child, flights };
  const settle = (id: number): void => {
    flights.delete(id);
    // An idle launcher does not keep us alive.
    if (flights.size === 0) child.channel?.unref();
  };
  child.on('message', (notice: Notice) => {
    const flight = flights.get(notice.id);
    if (flight !== undefined) receive(child, flight, notice, () => settle(notice.id));
  });
  const lost = (): void => {
    if (launcher === started) launcher = undefined;
    const error = new InfrastructureError('the process that starts all children is gone');
    for (const flight of flights.values()) {
      for (const { reject } of [flight.started, flight.exited, flight.drained]) reject(error);
      takeBackInput(flight);
    }
    flights.clear();
  };
  child.once('disconnect', lost);
  child.once('error', lost);
  child.unref();
  child.channel?.unref();
  return started;
}

function receive(child: ChildProcess, flight: Flight, notice: Notice, settle: () => void): void {
  switch (notice.kind) {
    case 'started':
      flight.started.resolve(notice);
      if (notice.pid === null) settle();
      return;
    case 'output':
      flight.taken[notice.output] = takeNext(child, flight, notice);
      return;
    case 'accepted':
      flight.written.shift()?.();
      return;
    case 'exited':
      flight.exited.resolve(notice.exit);
      return;
    case 'closed':
      flight.drained.resolve(Promise.all(flight.taken).then(() => {}));
      takeBackInput(flight);
      settle();
      return;
  }
}

async function takeNext(child: ChildProcess, flight: Flight, { id, output, bytes }: Notice & { kind: 'output' }) {
  await flight.taken[output];
  await flight.takes[output]?.(bytes);
  tell(child, { kind: 'taken', id, output });
}
