import { withAccess } from './access.ts';
import { type Listing, listDifferences, type Rules } from './listing.ts';
import { encodePath } from './path.ts';
import { act, line, type Site } from './run.ts';

/** A site with a worktree and an index of its own. */
export type WorkSite = Site & { readonly workTree: string; readonly index: string };

/**
 * Writes the files of a worktree as a tree and returns its id.
 * @param inspect is shown what differs from the index before a single byte is read; it refuses by throwing.
 */
export async function snapshot(
  site: WorkSite,
  rules: Omit<Rules, 'gitignore'>,
  inspect: (listing: Listing) => void | Promise<void>,
): Promise<string> {
  const listing = await withAccess(site.workTree, () => listDifferences(site, { ...rules, gitignore: true }));
  await inspect(listing);
  await withAccess(site.workTree, () => stage(site, listing));
  return line(site, ['write-tree']);
}

async function stage(site: Site, listing: Listing): Promise<void> {
  const input = (paths: readonly string[]): Buffer =>
    Buffer.concat(paths.flatMap((path) => [encodePath(path), Buffer.of(0)]));
  if (listing.covered.length > 0) {
    await act(site, ['update-index', '--force-remove', '-z', '--stdin'], { stdin: input(listing.covered) });
  }
  const rest = [...listing.deleted, ...listing.changed];
  if (rest.length > 0) {
    await act(site, ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { stdin: input(rest) });
  }
}
