import { join } from 'node:path';

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
    bundles: join(state, 'bundles', name),
    prepared: join(state, 'prepared', name),
    lanes: join(state, 'lanes', name),
    cache: join(state, 'cache', name),
    calls: join(state, 'calls', name),
    scratch: join(state, 'scratch', name),
  };
}
