import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Campaign, isRemote, type Target } from '../config/index.ts';
import { ConfigurationError, ConflictError, GitError, InfrastructureError } from '../errors.ts';
import { type Bundle, pinBundle, verifyBundle } from '../evaluator/index.ts';
import { type Hub, type Imported, importTarget, openHub, readCommit, sourceOf } from '../git/index.ts';
import { type CampaignFolders, campaignFolders } from './folders.ts';

/** What a first run froze, as the store or a running daemon tells it. */
export interface Pinned {
  readonly root: Imported;
  readonly bundleHash: string;
}

/** All that work on a campaign needs besides the database: its Git hub, its root and its pinned evaluator. */
export interface Workshop {
  readonly workspace: string;
  readonly campaign: Campaign;
  readonly folders: CampaignFolders;
  readonly hub: Hub;
  readonly root: Imported;
  /** Committer date of the root in seconds: candidates are dated from it, so that commit ids do not depend on clocks. */
  readonly rootSeconds: number;
  readonly bundle: Bundle;
  /** True when the campaign folder no longer equals the pinned copy; the pinned copy stays in use. */
  readonly bundleChanged: boolean;
}

/**
 * Opens the hub and the pinned evaluator of a campaign. Without `pinned` (a first run) the target is imported and the
 * campaign folder pinned; with it nothing is resolved again.
 * @param given the pinned evaluator, where the campaign folder is on another machine
 * @throws ConflictError when the pinned evaluator is gone, InfrastructureError when the root is.
 */
export async function openWorkshop(
  workspace: string,
  campaign: Campaign,
  pinned: Pinned | null,
  given: Bundle | null = null,
): Promise<Workshop> {
  const folders = campaignFolders(workspace, campaign.name);
  for (const folder of [folders.bundles, folders.lanes, folders.cache, folders.scratch]) {
    await mkdir(folder, { recursive: true });
  }
  const hub = await openHub(folders.hub, folders.sharedHub);
  const root =
    pinned?.root ??
    (await importTarget(hub, {
      campaign: campaign.name,
      repository: fetchedFrom(campaign.target),
      root: campaign.target.root,
    }));
  const current = given ?? (await pinBundle(campaign, folders.bundles));
  const hash = pinned?.bundleHash ?? current.hash;
  const bundle = { dir: join(folders.bundles, hash), hash };
  if (!existsSync(bundle.dir)) {
    throw new ConflictError(`the evaluator that was pinned at the first run is gone from ${bundle.dir}`, {
      hint: 'put the campaign folder back as it was then, or give the campaign a new name',
    });
  }
  if (hash !== current.hash) await verifyBundle(bundle);
  return {
    workspace,
    campaign,
    folders,
    hub,
    root,
    rootSeconds: await dateOf(hub, root),
    bundle,
    bundleChanged: hash !== current.hash,
  };
}

/**
 * Where the objects of a target come from. What it is stays what the campaign file says, so that the same campaign goes on
 * without the mirror.
 * @throws ConfigurationError when a plain folder is to stand in for a repository: it has no history and other commits.
 */
export function fetchedFrom({ repository, mirror }: Target): string {
  if (mirror === null) return repository;
  if (isRemote(repository) && sourceOf(mirror).kind === 'folder') {
    throw new ConfigurationError(`--target ${mirror} is a plain folder and no mirror of ${repository}`);
  }
  return mirror;
}

async function dateOf(hub: Hub, root: Imported): Promise<number> {
  try {
    return (await readCommit(hub, root.commit)).authorSeconds;
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    throw new InfrastructureError(`the root ${root.commit} is not in ${hub.dir}`, {
      cause,
      hint: 'bring that folder back from a copy, or give the campaign a new name',
    });
  }
}
