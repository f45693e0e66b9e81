import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { InfrastructureError } from '../../errors.ts';

/** A name that this process holds alone. */
export interface Claim {
  /** Lets go, and tells those who wait, the first of them first. A second call does nothing. */
  release(): Promise<void>;
}

/** The head start of who waited longest. */
const HEAD_START_MS = 50;
const RETRY_MS = 50;

/**
 * The name of a listening socket in the abstract namespace (unix(7)): the kernel gives it to one process at a time, and takes it
 * back when that process ends, however it ends. No file is left, no pid can be mistaken, and nobody has to be asked.
 *
 * It holds for all users of one network namespace. Processes in containers with networks of their own do not see each other; so
 * does a child in a sandbox without a network, which therefore cannot claim anything. Anybody else on the machine can, as
 * there are no permissions on such names: a CPU can be withheld by malice, never given twice.
 */
const nameOf = (cpu: number): string => `\0clade-cpu-${cpu}`;

/**
 * Null when somebody has it.
 * @throws InfrastructureError where there is no such thing.
 */
export async function claim(cpu: number): Promise<Claim | null> {
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.unref();
    // Whoever stopped waiting has closed its end.
    socket.on('error', () => {});
    socket.once('close', () => waiting.delete(socket));
    socket.resume();
  });
  // A lease is no reason to stay alive.
  server.unref();
  try {
    server.listen({ path: nameOf(cpu) });
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null;
    throw new InfrastructureError('CPUs cannot be leased on this machine', {
      cause: error,
      hint: 'leases are sockets of the abstract namespace of Linux; without them set evaluator.cpus to []',
    });
  }
  return { release: () => releaseTo(server, waiting) };
}

async function releaseTo(server: Server, waiting: Set<Socket>): Promise<void> {
  if (!server.listening) return;
  // The name is free when this returns; the connections of those who wait outlive it.
  server.close();
  const [first, ...others] = waiting;
  first?.destroy();
  setTimeout(() => {
    for (const socket of others) socket.destroy();
  }, HEAD_START_MS).unref();
}

/** Resolves when the holder of a CPU lets go or ends, or when `signal` fires. May be early. */
export async function whenFree(cpu: number, signal: AbortSignal): Promise<void> {
  const socket = connect({ path: nameOf(cpu) });
  const closed = new Promise<boolean>((resolve) => socket.once('close', resolve));
  // Refused: just let go. Anything else is not worth asking again at once.
  socket.on('error', () => {});
  socket.resume();
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const failed = await closed;
  signal.removeEventListener('abort', stop);
  if (failed && !signal.aborted) await sleep(RETRY_MS);
}
