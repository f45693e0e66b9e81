import { startWorker } from '../../daemon/index.ts';
import { ConfigurationError } from '../../errors.ts';
import { createGates } from '../../gateway/index.ts';
import { machineLabel } from '../../process/index.ts';
import type { WorkerRole } from '../../store/index.ts';
import { databaseUrl, type GlobalOptions } from '../context.ts';
import { type LogLevelOptions, processLog } from '../logging.ts';
import { onSignals } from '../serving.ts';
import { openWorkplace } from '../workplace.ts';

export interface WorkerCommandOptions extends GlobalOptions, LogLevelOptions {
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
  if (databaseUrl().databaseUrl === undefined) {
    throw new ConfigurationError('a worker needs the database that its daemon uses', {
      hint: 'set CLADE_DATABASE_URL to the PostgreSQL server, and CLADE_HUB_URL to the shared hubs',
    });
  }
  if ((process.env.CLADE_HUB_URL ?? '') === '') {
    throw new ConfigurationError('a worker needs the hubs that its daemon uses', {
      hint: 'set CLADE_HUB_URL, for daemon and workers alike, to a folder that all mount or to a URL by ssh or https',
    });
  }
  const log = processLog(options, 'service');
  await using workplace = await openWorkplace(options, {
    command: 'worker',
    roles,
    label,
    onTrouble: (text) => log.warn({}, text),
  });
  const { workspace, store, queue, presence } = workplace;
  const running = startWorker({
    ...{ store, queue, workspace, presence, log, gates: createGates() },
    slots: { generate: roles.includes('generate') ? slots : 0, evaluate: roles.includes('evaluate') ? lanes : 0 },
    reports: { onInfo: (text) => log.info({}, text), onWarning: (text) => log.warn({}, text) },
  });
  log.info({ worker: presence.claimant.worker, label, roles, slots, lanes }, 'working');
  const release = onSignals(running, (message) => log.info({}, message));
  try {
    await running.done;
    return 0;
  } finally {
    release();
  }
}
