import type { Hub } from './hub.ts';

/** Checks `commit` out at `dir` (absolute), taking over whatever a dead process left there. */
export async function addWorktree(_hub: Hub, _dir: string, _commit: string): Promise<void> {
  throw new Error('not built yet');
}
/** Moves a worktree to `commit`, every other file removed but the linked paths of `keep`, and proves it by tree id. */
export async function resetWorktree(
  _hub: Hub,
  _dir: string,
  _commit: string,
  _options?: { keep?: readonly string[] },
): Promise<void> {
  throw new Error('not built yet');
}
/** Removes a worktree and its registration, never following a link out of it. */
export async function removeWorktree(_hub: Hub, _dir: string): Promise<void> {
  throw new Error('not built yet');
}
/** Drops registrations of ours whose folder is gone; returns the folders of those that are still there. */
export async function reconcileWorktrees(_hub: Hub): Promise<string[]> {
  throw new Error('not built yet');
}
