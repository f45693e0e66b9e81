import type { CampaignRow, Waiting, WorkerRole, WorkerRow } from '../store/index.ts';

/** A worker as a campaign looks at it. */
export type Hand = Pick<WorkerRow, 'host' | 'label' | 'roles' | 'state' | 'faults'>;
type Asking = Pick<CampaignRow, 'id' | 'state' | 'label'>;

/** Among the faults of a worker what its disk lacks, whatever the campaign: it takes nothing until there is room. */
export const DISK = 'disk';

const DOES: Readonly<Record<WorkerRole, string>> = { generate: 'generates', evaluate: 'evaluates' };

/** What work of a running campaign waits for that no worker can do, one sentence each. Pure. */
export function lacking(campaign: Asking, waiting: Waiting, workers: readonly Hand[]): string[] {
  if (campaign.state !== 'running') return [];
  return wanted(waiting).flatMap((role) => {
    if (able(campaign, role, workers).length > 0) return [];
    const under = role === 'evaluate' && campaign.label !== null ? ` under the label ${campaign.label}` : '';
    const count = waiting[role];
    return [
      `${count} ${count === 1 ? 'piece' : 'pieces'} of work ${count === 1 ? 'waits' : 'wait'} for a worker that ${DOES[role]}${under}`,
    ];
  });
}

/**
 * What every worker that could do some waiting work of a campaign suffers from; null while one of them is well, or none is there. Pure.
 */
export function commonFault(campaign: Asking, waiting: Waiting, workers: readonly Hand[]): string | null {
  for (const role of wanted(waiting)) {
    const hands = able(campaign, role, workers);
    const faults = hands.flatMap(({ host, faults }) => {
      const fault = faults[campaign.id];
      return fault === undefined ? [] : [`${host}: ${fault}`];
    });
    if (hands.length > 0 && faults.length === hands.length) {
      return `no worker that ${DOES[role]} gets on (${[...new Set(faults)].join('; ')})`;
    }
  }
  return null;
}

function wanted(waiting: Waiting): WorkerRole[] {
  return (['generate', 'evaluate'] as const).filter((role) => waiting[role] > 0);
}

/** Who may take such work. */
function able({ label }: Asking, role: WorkerRole, workers: readonly Hand[]): Hand[] {
  return workers.filter(
    (worker) =>
      worker.state === 'active' &&
      worker.faults[DISK] === undefined &&
      worker.roles.includes(role) &&
      (role === 'generate' || label === null || worker.label === label),
  );
}
