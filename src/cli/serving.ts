import { resolve } from 'node:path';
import { createHost, createMonitor, type Host, type HostOptions, openPresence } from '../daemon/index.ts';
import { workspaceFolders } from '../pipeline/index.ts';
import { nameWorkspace, sweepStrays, workspaceMark } from '../process/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { type RunningServer, startServer } from '../web/index.ts';
import { databaseUrl, type GlobalOptions } from './context.ts';
import { version } from './version.ts';

export interface Serving {
  readonly host: Host;
  readonly server: RunningServer;
  readonly store: Store;
  readonly workspace: string;
}

/** Only plan and settle. */
const NONE = { generate: 0, evaluate: 0 };

/**
 * Opens a workspace for work: takes its lock, ends what a dead process left running, opens database and queue and starts
 * the HTTP API; afterwards everything is closed in reverse order.
 */
export async function serving<T>(
  options: GlobalOptions & { readonly port?: number; readonly work?: boolean },
  label: string,
  rest: Pick<HostOptions, 'onBreak' | 'reports'>,
  use: (serving: Serving) => Promise<T>,
): Promise<T> {
  const workspace = resolve(options.workspace);
  const store = await openStore({ workspace, label: `clade ${label}`, exclusive: true, ...databaseUrl() });
  try {
    const mark = workspaceMark(workspace);
    nameWorkspace(mark);
    await sweepStrays(mark);
    const queue = await store.startQueue({
      onError: (error) => process.stderr.write(`queue: ${error.message}\n`),
      onWarning: (warning) => process.stderr.write(`queue: ${warning.message}\n`),
    });
    const presence = await openPresence(store, {
      workspace,
      version: version(),
      roles: ['generate', 'evaluate'],
      onError: (error) => process.stderr.write(`heartbeat: ${error.message}\n`),
    });
    const slots = options.work === false ? { slots: NONE } : {};
    const host = createHost({ store, queue, workspace, presence, ...slots, ...rest });
    using monitor = createMonitor(store, host, presence);
    const server = await startServer(host.api, workspaceFolders(workspace).address, {
      port: options.port,
      monitor,
      bell: store.bell,
    });
    try {
      return await use({ host, server, store, workspace });
    } finally {
      await server.close();
      await presence.close();
    }
  } finally {
    await store.close();
  }
}

/**
 * First SIGINT or SIGTERM: finish what is in flight. Second: interrupt it, it is taken up again at the next start. Third:
 * leave at once. Returns a function that lets go of the signals.
 */
export function onSignals(host: Pick<Host, 'drain' | 'interrupt'>, say: (message: string) => void): () => void {
  let count = 0;
  const handle = (signal: NodeJS.Signals): void => {
    count += 1;
    if (count === 1) {
      say(`${signal}: finishing the jobs in flight; once more interrupts them (nothing is lost)`);
      host.drain();
    } else if (count === 2) {
      say(`${signal}: interrupting; once more leaves at once`);
      host.interrupt();
    } else process.exit(130);
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return () => {
    process.off('SIGINT', handle);
    process.off('SIGTERM', handle);
  };
}
