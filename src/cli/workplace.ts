import { resolve } from 'node:path';
import { openPresence, type Presence } from '../daemon/index.ts';
import { machineLabel, nameWorkspace, sweepStrays, workspaceMark } from '../process/index.ts';
import { openStore, type Queue, type Store, type WorkerRole } from '../store/index.ts';
import { databaseUrl, type GlobalOptions } from './context.ts';
import { version } from './version.ts';

/** A workspace that this process alone works in, with what any work needs. */
export interface Workplace extends AsyncDisposable {
  /** Absolute folder. */
  readonly workspace: string;
  readonly store: Store;
  readonly queue: Queue;
  readonly presence: Presence;
}

export interface WorkplaceOptions {
  /** The command, for whoever finds the workspace taken. */
  readonly command: string;
  /** What this process does of jobs. */
  readonly roles: readonly WorkerRole[];
  /** What measures alike; default: this machine. */
  readonly label?: string | undefined;
  /** Hears of what goes wrong behind the scenes: the queue's connection, a heartbeat. */
  readonly onTrouble: (text: string) => void;
}

/** Takes the lock of a workspace, ends what a dead process left running, opens database and queue and registers this process. */
export async function openWorkplace(
  { workspace: folder }: GlobalOptions,
  { command, roles, label = machineLabel(), onTrouble }: WorkplaceOptions,
): Promise<Workplace> {
  const workspace = resolve(folder);
  const store = await openStore({ workspace, label: `clade ${command}`, exclusive: true, ...databaseUrl() });
  try {
    const mark = workspaceMark(workspace);
    nameWorkspace(mark);
    await sweepStrays(mark);
    const queue = await store.startQueue({
      onError: (error) => onTrouble(`queue: ${error.message}`),
      onWarning: (warning) => onTrouble(`queue: ${warning.message}`),
    });
    const presence = await openPresence(store, {
      ...{ workspace, version: version(), roles, label },
      onError: (error) => onTrouble(`heartbeat: ${error.message}`),
    });
    return {
      ...{ workspace, store, queue, presence },
      async [Symbol.asyncDispose]() {
        try {
          await presence.close();
        } finally {
          await store.close();
        }
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
