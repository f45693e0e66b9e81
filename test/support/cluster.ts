import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CampaignStatus } from '../../src/daemon/index.ts';
import type { Workspace, workspaces } from './workspace.ts';

type OpenWorkspace = ReturnType<typeof workspaces>;

/** Seconds after which a silent process is taken for dead. */
export const LEASE_SECONDS = 3;

/** What one campaign is made from in any workspace: two daemons of one campaign have the same target. */
export interface Shared {
  /** What daemons and workers are told. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute folder that all of them reach. */
  readonly dir: string;
  /** One more host: a workspace of its own. */
  host(env?: Readonly<Record<string, string>>, within?: readonly string[]): Promise<Workspace>;
}

/** A database, shared hubs and a folder, for hosts that each have a workspace of their own. */
export async function shareDatabase(openWorkspace: OpenWorkspace, databaseUrl: string): Promise<Shared> {
  const { dir } = await openWorkspace();
  await mkdir(join(dir, 'hubs'));
  const env = {
    CLADE_DATABASE_URL: databaseUrl,
    CLADE_HUB_URL: join(dir, 'hubs'),
    CLADE_LEASE_SECONDS: String(LEASE_SECONDS),
    CLADE_LABEL: 'bench',
  };
  return { env, dir, host: (own = {}, within = []) => openWorkspace({ ...env, ...own }, within) };
}

/** Asks a workspace until the campaign has come to its end, through whoever serves it or from the database. */
export async function finished(host: Workspace, name: string): Promise<CampaignStatus> {
  for (;;) {
    const { code, stdout } = await host.run('status', name, '--json');
    // Who was asked may be killed while it answers.
    if (code === 0) {
      const status: CampaignStatus = JSON.parse(stdout);
      if (status.state === 'finished') return status;
      if (status.state !== 'running') throw new Error(`${status.state}: ${status.cause}`);
    }
    await sleep(500);
  }
}
