import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ConflictError, InfrastructureError } from '../../errors.ts';
import { unpackBundle } from '../../evaluator/index.ts';
import { formatOf, listRefs, openHub, readBundle } from '../../git/index.ts';
import { campaignFolders, hubOf } from '../../pipeline/index.ts';
import { CARRIED_TABLES, carryCampaign, carryRows, findCampaign, type Store } from '../../store/index.ts';
import { COMMITS, EVALUATOR, type Manifest, readManifest } from './manifest.ts';

export interface ImportRequest {
  readonly store: Pick<Store, 'db'>;
  readonly workspace: string;
  /** Absolute folder that `writeExport` made. */
  readonly folder: string;
}

/**
 * Brings an exported campaign into a workspace, as it was. The campaign is there when all of it is: its rows are written last, in one
 * transaction. Paths in its campaign folder become those of `campaigns/NAME` here.
 * @throws ConflictError when there is a campaign of that name, the export is of a newer Clade, or a file of it was changed.
 */
export async function readExport({ store, workspace, folder }: ImportRequest): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { campaign: name, evaluator, root, refs } = manifest;
  if ((await findCampaign(store.db, name)) !== undefined) {
    throw new ConflictError(`there is a campaign "${name}" in this workspace already`);
  }
  const folders = campaignFolders(workspace, name);
  const prefix = `refs/clade/${name}/`;
  await refuseForeign(folders, prefix, new Map(Object.entries(refs)));
  const hub = await openHub(folders.hub, folders.sharedHub);
  const expected = { format: formatOf(root), refs: new Map(Object.entries(refs)), prefix };
  await readBundle(hub, join(folder, COMMITS), expected);
  const bundle = { dir: join(folders.bundles, evaluator), hash: evaluator };
  if (!existsSync(bundle.dir)) await unpackBundle(createReadStream(join(folder, EVALUATOR)), bundle);
  await store.db.transaction().execute(async (trx) => {
    let campaignId = 0;
    for (const table of CARRIED_TABLES) {
      const file = `${table}.ndjson`;
      if (manifest.files[file] === undefined) continue; // of a Clade that had no such table
      const lines = createInterface({
        input: createReadStream(join(folder, file)),
        crlfDelay: Number.POSITIVE_INFINITY,
      });
      if (table !== 'campaigns') await carryRows(trx, campaignId, table, lines);
      else for await (const line of lines) campaignId = await carryCampaign(trx, moved(line, manifest, workspace));
    }
  });
  return manifest;
}

/** A hub of the same name may be what an import that was killed left, and nothing else. */
async function refuseForeign(
  folders: Parameters<typeof hubOf>[0],
  prefix: string,
  refs: ReadonlyMap<string, string>,
): Promise<void> {
  if (!existsSync(folders.hub)) return;
  const there = await listRefs(hubOf(folders), prefix);
  for (const [ref, id] of there) {
    if (refs.get(ref) !== id) {
      throw new InfrastructureError(`${folders.hub} holds other commits, such as ${ref}`, {
        hint: 'move it away first',
      });
    }
  }
}

/** The row of a campaign whose folder is elsewhere now. */
function moved(line: string, { directory, campaign }: Manifest, workspace: string): string {
  const here = join(workspace, 'campaigns', campaign);
  const place = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value === directory) return here;
      return value.startsWith(`${directory}/`) ? here + value.slice(directory.length) : value;
    }
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, place(one)]));
  };
  return JSON.stringify(place(JSON.parse(line)));
}
