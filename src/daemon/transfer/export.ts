import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ConflictError, InfrastructureError } from '../../errors.ts';
import { packBundle } from '../../evaluator/index.ts';
import { writeBundle } from '../../git/index.ts';
import { campaignFolders, hubOf } from '../../pipeline/index.ts';
import {
  atRest,
  CARRIED_TABLES,
  type CampaignRow,
  carriedRows,
  knownMigrations,
  type Store,
} from '../../store/index.ts';
import { requireCampaign } from '../database-api.ts';
import { COMMITS, EVALUATOR, EXPORT_FORMAT, hashOf, MANIFEST, type Manifest } from './manifest.ts';

export interface ExportRequest {
  readonly store: Pick<Store, 'db'>;
  readonly workspace: string;
  readonly name: string;
  /** Absolute folder; it must not be there yet. */
  readonly folder: string;
  readonly version: string;
}

/**
 * Writes a whole campaign as files: records, one file a table; commits; the pinned evaluator. The folder is there when all of it is.
 * @throws ConflictError when somebody works on the campaign or the folder is there already.
 */
export async function writeExport(request: ExportRequest): Promise<Manifest> {
  const { store, name, folder } = request;
  if (existsSync(folder)) throw new ConflictError(`${folder} is there already: an export makes a new folder`);
  const row = await requireCampaign(store.db, name);
  await mkdir(dirname(folder), { recursive: true });
  const building = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const manifest = await atRest(store.db, row.id, async (trx) => {
      const rows: Record<string, number> = {};
      for (const table of CARRIED_TABLES) {
        rows[`${table}.ndjson`] = await writeLines(join(building, `${table}.ndjson`), carriedRows(trx, row.id, table));
      }
      return describe(request, row, building, rows);
    });
    await writeFile(join(building, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(building, folder);
    return manifest;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Adds commits and evaluator. */
async function describe(
  { workspace, name, version }: ExportRequest,
  row: CampaignRow,
  building: string,
  rows: Readonly<Record<string, number>>,
): Promise<Manifest> {
  const folders = campaignFolders(workspace, name);
  const hub = hubOf(folders);
  const bundle = { dir: join(folders.bundles, row.bundleHash), hash: row.bundleHash };
  for (const dir of [hub.dir, bundle.dir]) {
    if (!existsSync(dir)) throw new InfrastructureError(`a part of "${name}" is not there: ${dir}`);
  }
  const refs = await writeBundle(hub, `refs/clade/${name}/`, join(building, COMMITS));
  await pipeline(packBundle(bundle, join(building, 'scratch')), createWriteStream(join(building, EVALUATOR)));
  await rm(join(building, 'scratch'), { recursive: true });
  const names = [...Object.keys(rows), COMMITS, EVALUATOR];
  if (existsSync(join(building, `${COMMITS}.shallow`))) names.push(`${COMMITS}.shallow`);
  const files: Manifest['files'] = {};
  for (const file of names) files[file] = { sha256: await hashOf(join(building, file)), rows: rows[file] ?? null };
  return {
    format: EXPORT_FORMAT,
    clade: version,
    campaign: name,
    directory: row.directory,
    migrations: knownMigrations(),
    evaluator: row.bundleHash,
    root: row.rootCommit,
    refs: Object.fromEntries(refs),
    files,
  };
}

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  let count = 0;
  const texts = async function* () {
    for await (const line of lines) {
      count += 1;
      yield `${line}\n`;
    }
  };
  await pipeline(texts, createWriteStream(file));
  return count;
}
