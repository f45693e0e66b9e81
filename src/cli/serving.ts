import { createHost, createMonitor, type Host, type HostOptions, type Log } from '../daemon/index.ts';
import { workspaceFolders } from '../pipeline/index.ts';
import type { Store } from '../store/index.ts';
import { type RunningServer, startServer } from '../web/index.ts';
import type { GlobalOptions } from './context.ts';
import { openWorkplace } from './workplace.ts';

export interface Serving {
  readonly host: Host;
  readonly server: RunningServer;
  readonly store: Store;
  readonly workspace: string;
}

/** Only plan and settle. */
const NONE = { generate: 0, evaluate: 0 };

/** Opens a workspace for work and starts the HTTP API; afterwards everything is closed in reverse order. */
export async function serving<T>(
  options: GlobalOptions & { readonly port?: number; readonly work?: boolean },
  command: string,
  log: Log,
  rest: Pick<HostOptions, 'onBreak' | 'reports'>,
  use: (serving: Serving) => Promise<T>,
): Promise<T> {
  const works = options.work !== false;
  await using workplace = await openWorkplace(options, {
    command,
    roles: works ? ['generate', 'evaluate'] : [],
    onTrouble: (text) => process.stderr.write(`${text}\n`),
  });
  const { workspace, store, queue, presence } = workplace;
  const host = createHost({ store, queue, workspace, presence, log, ...(works ? {} : { slots: NONE }), ...rest });
  using monitor = createMonitor(store, host, presence);
  const { address } = workspaceFolders(workspace);
  const server = await startServer(host.api, address, { port: options.port, monitor, bell: store.bell });
  try {
    return await use({ host, server, store, workspace });
  } finally {
    await server.close();
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
