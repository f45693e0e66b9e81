import { resolve } from 'node:path';
import { pino } from 'pino';
import { openPresence, startWorker } from '../../daemon/index.ts';
import { ConfigurationError } from '../../errors.ts';
import { createGates } from '../../gateway/index.ts';
import { machineLabel, nameWorkspace, sweepStrays, workspaceMark } from '../../process/index.ts';
import { openStore, type WorkerRole } from '../../store/index.ts';
import { databaseUrl, type GlobalOptions } from '../context.ts';
import { onSignals } from '../serving.ts';
import { version } from '../version.ts';

export interface WorkerCommandOptions extends GlobalOptions {
  readonly roles?: readonly WorkerRole[];
  /** Agents at work at the same time. */
  readonly slots?: number;
  /** Evaluations at the same time. */
  readonly lanes?: number;
  readonly label?: string;
}

const ROLES: readonly WorkerRole[] = ['generate', 'evaluate'];

/** Does the jobs of campaigns that a daemon elsewhere plans, until a signal ends it; logs JSON lines to stdout. */
export async function worker(options: WorkerCommandOptions): Promise<number> {
  const { roles = ROLES, slots = 2, lanes = 1, label = machineLabel() } = options;
  const url = databaseUrl();
  if (url.databaseUrl === undefined) {
    throw new ConfigurationError('a worker needs the database that its daemon uses', {
      hint: 'set CLADE_DATABASE_URL to the PostgreSQL server, and CLADE_HUB_URL to the shared hubs',
    });
  }
  if ((process.env.CLADE_HUB_URL ?? '') === '') {
    throw new ConfigurationError('a worker needs the hubs that its daemon uses', {
      hint: 'set CLADE_HUB_URL, for daemon and workers alike, to a folder that all mount or to a URL by ssh or https',
    });
  }
  const log = pino();
  const workspace = resolve(options.workspace);
  const store = await openStore({ workspace, label: 'clade worker', exclusive: true, ...url });
  try {
    const mark = workspaceMark(workspace);
    nameWorkspace(mark);
    await sweepStrays(mark);
    const queue = await store.startQueue({
      onError: (error) => log.error(`queue: ${error.message}`),
      onWarning: (warning) => log.warn(`queue: ${warning.message}`),
    });
    const presence = await openPresence(store, {
      ...{ workspace, version: version(), roles, label },
      onError: (error) => log.warn(`heartbeat: ${error.message}`),
    });
    const running = startWorker({
      ...{ store, queue, workspace, presence, gates: createGates() },
      slots: { generate: roles.includes('generate') ? slots : 0, evaluate: roles.includes('evaluate') ? lanes : 0 },
      reports: { onInfo: (text) => log.info(text), onWarning: (text) => log.warn(text) },
    });
    log.info({ worker: presence.claimant.worker, label, roles, slots, lanes }, 'working');
    const release = onSignals(running, (message) => log.info(message));
    try {
      await running.done;
      return 0;
    } finally {
      release();
      await presence.close();
    }
  } finally {
    await store.close();
  }
}
