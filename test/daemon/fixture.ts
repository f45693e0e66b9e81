/** What the tests of `daemon/` share: hosts on real databases, serving campaigns of shell scripts. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createHost, type Host, type HostReports, type Log, openPresence, silent } from '../../src/daemon/index.ts';
import type { Store } from '../../src/store/index.ts';
import { type CampaignOptions, campaignIn } from '../pipeline/fixture.ts';

export interface Serving {
  readonly host: Host;
  readonly workspace: string;
  /** What the host reported, one line each. */
  readonly said: string[];
}

/** A host over a store; `said` collects its reports. */
export async function hostOn(
  store: Store,
  workspace: string,
  onBreak: 'wait' | 'end' = 'end',
  log: Log = silent,
): Promise<Serving> {
  const said: string[] = [];
  const reports: HostReports = {
    onSettled: (_name, job) => said.push(`${job.ordinal} ${job.outcome}`),
    onWarning: (_name, warning) => said.push(`warning ${warning}`),
    onRest: (name, end) => said.push(`rest ${name} ${end.kind}`),
    onError: (name, error) => said.push(`error ${name} ${error instanceof Error ? error.message : error}`),
  };
  const queue = await store.startQueue({
    onError: (error) => said.push(`queue ${error.message}`),
    onWarning: (warning) => said.push(`queue ${warning.message}`),
  });
  const presence = await openPresence(store, { workspace, version: 'test', roles: ['generate', 'evaluate'] });
  onTestFinished(() => presence.close().catch(() => undefined)); // the store may be closed already
  return { host: createHost({ store, queue, workspace, presence, onBreak, reports, log }), workspace, said };
}

/** Waits until `read` gives true; the deadline is the test's own. */
export async function eventually(read: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await read())) await new Promise((resolve) => setTimeout(resolve, 20));
}

export const campaignFile = (workspace: string, name = 'counting'): string =>
  join(workspace, 'campaigns', name, 'campaign.yaml');

export { type CampaignOptions, campaignIn };
