import { join } from 'node:path';
import type { Hub } from '../git/index.ts';

/** Where a workspace keeps its state. Everything below `.clade/` can be found again from the workspace alone. */
export interface WorkspaceFolders {
  /** Absolute folder that holds `.clade/`. */
  readonly workspace: string;
  readonly state: string;
  /** Address and token of the process that serves this workspace. */
  readonly address: string;
}

/** Where one campaign keeps its own. All absolute. */
export interface CampaignFolders {
  readonly hub: string;
  /** URL of the hub that machines share, of which `hub` then is a mirror; null: `hub` is the only one. */
  readonly sharedHub: string | null;
  /** Pinned copies of the campaign folder, each under its hash. */
  readonly bundles: string;
  /** The root checkout in which `prepare` ran; links point into it. */
  readonly prepared: string;
  /** Checkouts that lanes move from commit to commit. */
  readonly lanes: string;
  /** What the evaluator keeps between runs (CLADE_CACHE). */
  readonly cache: string;
  /** Model calls as they were made: request and answer. */
  readonly calls: string;
  /** What was done for each job on this machine, a file each. */
  readonly logs: string;
  /** Short-lived folders: HOME, TMPDIR, results. */
  readonly scratch: string;
}

export function workspaceFolders(workspace: string): WorkspaceFolders {
  const state = join(workspace, '.clade');
  return { workspace, state, address: join(state, 'address.json') };
}

export function campaignFolders(workspace: string, name: string): CampaignFolders {
  const { state } = workspaceFolders(workspace);
  return {
    hub: join(state, 'hubs', `${name}.git`),
    sharedHub: sharedHub(name),
    bundles: join(state, 'bundles', name),
    prepared: join(state, 'prepared', name),
    lanes: join(state, 'lanes', name),
    cache: join(state, 'cache', name),
    calls: join(state, 'calls', name),
    logs: join(state, 'logs', name),
    scratch: join(state, 'scratch', name),
  };
}

/** `CLADE_HUB_URL` is the folder of all shared hubs: a path that every machine mounts, or a URL by ssh or https. */
function sharedHub(name: string): string | null {
  const base = process.env.CLADE_HUB_URL?.trim() ?? '';
  return base === '' ? null : `${base.replace(/\/+$/, '')}/${name}.git`;
}

/** The hub of a campaign as it is, not made where it is not there: for those who only read. */
export function hubOf({ hub, sharedHub }: Pick<CampaignFolders, 'hub' | 'sharedHub'>): Hub {
  return { dir: hub, remote: sharedHub };
}
