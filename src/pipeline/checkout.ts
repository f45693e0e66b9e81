import { lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { addWorktree, removeWorktree, resetWorktree } from '../git/index.ts';
import { runCommands } from './prepare.ts';
import type { Workshop } from './workshop.ts';

const SETUP_TIMEOUT_MS = 10 * 60_000;

/**
 * Puts `commit` into the lane's folder `dir` with the links and the setup of the target. A checkout that is already
 * there moves to the commit and is proved clean by tree id; where that fails (a candidate may have done anything to it)
 * the folder is made anew.
 * @throws InfrastructureError when `target.setup` fails.
 */
export async function checkout(workshop: Workshop, dir: string, commit: string, signal: AbortSignal): Promise<void> {
  if (!(await moved(workshop, dir, commit))) {
    await removeWorktree(workshop.hub, dir);
    await addWorktree(workshop.hub, dir, commit);
  }
  await furnish(workshop, dir, signal);
}

/**
 * Puts the links of the target into a checkout and runs its setup there.
 * @throws InfrastructureError when `target.setup` fails.
 */
export async function furnish(workshop: Workshop, dir: string, signal: AbortSignal): Promise<void> {
  const { link, setup } = workshop.campaign.target;
  placeLinks(workshop.folders.prepared, dir, link);
  await runCommands(workshop, setup, dir, SETUP_TIMEOUT_MS, signal);
}

async function moved(workshop: Workshop, dir: string, commit: string): Promise<boolean> {
  if (lstatSync(dir, { throwIfNoEntry: false }) === undefined) return false;
  try {
    const { link } = workshop.campaign.target;
    const keep = link.filter((path) => pointsTo(join(workshop.folders.prepared, path), join(dir, path)));
    await resetWorktree(workshop.hub, dir, commit, { keep });
    return true;
  } catch {
    // Whatever is wrong with a used checkout, a new one is the remedy; if Git itself is broken, making it will say so.
    return false;
  }
}

function pointsTo(source: string, link: string): boolean {
  return lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(link) === source;
}

/** What the links in a checkout point to, for a sandbox to let in. */
export function linkedFolders({ campaign, folders }: Workshop): string[] {
  return campaign.target.link.length === 0 ? [] : [folders.prepared];
}

/** Links `paths` of the checkout `dir` to the same paths below `source`. */
export function placeLinks(source: string, dir: string, paths: readonly string[]): void {
  for (const path of paths) placeLink(join(source, path), dir, path);
}

/**
 * A symlink in every case: in a sandbox its target is bound read-only at the same place. Where the commit has something in
 * the way, even a link to a folder elsewhere, nothing is placed: it must not lead us out of the checkout.
 */
function placeLink(source: string, dir: string, path: string): void {
  const folders = path.split('/').filter((part) => part !== '' && part !== '.');
  const name = folders.pop();
  if (name === undefined) return;
  let folder = dir;
  for (const part of folders) {
    folder = join(folder, part);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(folder);
    else if (!found.isDirectory()) return;
  }
  const place = join(folder, name);
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined) symlinkSync(source, place);
}
