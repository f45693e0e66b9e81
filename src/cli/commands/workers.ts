import type { WorkerView } from '../../daemon/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { duration, print, table } from '../output.ts';

/** The processes that work on jobs. */
export async function workers(options: GlobalOptions): Promise<number> {
  return withApi(options, 'workers', async (api) => {
    print(await api.workers(), options.json, overview);
    return 0;
  });
}

function overview(all: readonly WorkerView[]): string {
  if (all.length === 0) return 'nobody works on this database; clade daemon or clade worker does';
  const rows = all.map(({ host, pid, label, roles, state, silentMs, holds }) => [
    ...[host, pid, label, state, roles.join(', ') || 'plans only', duration(silentMs)],
    holds.map(({ campaign, ordinal, stage }) => `${campaign}:${ordinal} ${stage}`).join(', '),
  ]);
  const faults = all.flatMap(({ host, pid, faults }) =>
    Object.entries(faults).map(([campaign, fault]) => `${host} (${pid}) does not get on with ${campaign}: ${fault}`),
  );
  return [table(['host', 'pid', 'label', 'state', 'does', 'heard of', 'works on'], rows), ...faults].join('\n');
}
