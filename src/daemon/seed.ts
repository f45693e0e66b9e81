import type { Kysely } from 'kysely';
import type { Campaign } from '../config/index.ts';
import { ConflictError } from '../errors.ts';
import { extentOf, importSeed, openHub, type SeedFile } from '../git/index.ts';
import { campaignFolders } from '../pipeline/index.ts';
import { appendEvents, type CampaignRow, hasValidRoot, sowSeed, type Tables } from '../store/index.ts';

/** What a user wants to have evaluated; plain JSON. */
export type SeedSource =
  | { readonly kind: 'commit'; readonly revision: string }
  | { readonly kind: 'patch'; readonly name: string; readonly base64: string };

/** What became of it; plain JSON. */
export interface SeedView {
  readonly campaign: string;
  /** The id of the user's commit or the name of the patch file. */
  readonly source: string;
  readonly title: string;
  /** On the root, made of the source. */
  readonly commit: string;
  readonly tree: string;
  /** False when the campaign had this tree before. */
  readonly added: boolean;
  /** The job that has this tree; null while it waits for the next planning. */
  readonly job: number | null;
}

/**
 * Imports a seed. It waits until the next jobs are planned, which begin with it, so that the ordinals of a batch under way
 * stay as they are.
 * @throws ConflictError before the root is measured: until then the campaign may still be forgotten.
 */
export async function seedCampaign(
  db: Kysely<Tables>,
  workspace: string,
  { id, name, rootCommit }: CampaignRow,
  { target }: Campaign,
  source: SeedSource,
): Promise<SeedView> {
  if (!(await hasValidRoot(db, id))) {
    throw new ConflictError(`the root of "${name}" is not measured yet`, {
      hint: 'clade run measures it first; seeds may come at any time after',
    });
  }
  const folders = campaignFolders(workspace, name);
  const hub = await openHub(folders.hub, folders.sharedHub);
  const seed = await importSeed(hub, {
    campaign: name,
    repository: target.repository,
    root: rootCommit,
    // What is linked comes from the prepared root and is part of no commit.
    scope: { edit: target.edit, protect: [...target.protect, ...target.link.map((path) => `/${path}`)] },
    file: fileOf(source),
  });
  const { changes, commit, tree, title } = seed;
  const sown = await db.transaction().execute(async (trx) => {
    const made = await sowSeed(trx, id, {
      ...{ commit, tree, title, source: seed.source },
      ...extentOf(changes),
      changedPaths: changes.map((change) => change.path),
    });
    if (made.added) {
      await appendEvents(trx, [{ campaignId: id, kind: 'seed.imported', data: { source: seed.source, commit } }]);
    }
    return made;
  });
  return { campaign: name, source: seed.source, title, commit, tree, ...sown };
}

function fileOf(source: SeedSource): SeedFile {
  if (source.kind === 'commit') return source;
  return { kind: 'patch', name: source.name, bytes: Buffer.from(source.base64, 'base64') };
}
