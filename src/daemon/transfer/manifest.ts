import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError, ConflictError } from '../../errors.ts';
import { knownMigrations } from '../../store/index.ts';

/** Raised whenever an older Clade could not read what a newer one writes. */
export const EXPORT_FORMAT = 1;

export const MANIFEST = 'manifest.json';
/** File names of an export. */
export const COMMITS = 'commits.bundle';
export const EVALUATOR = 'evaluator.tar';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const id = z.string().regex(/^[0-9a-f]{40,64}$/);

const manifestSchema = z.strictObject({
  format: z.int(),
  clade: z.string(),
  campaign: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  /** Absolute folder of the campaign file where it was exported. */
  directory: z.string(),
  migrations: z.array(z.string()),
  evaluator: hash,
  root: id,
  refs: z.record(z.string(), id),
  files: z.record(z.string().regex(/^[a-z_]+(\.[a-z]+)+$/), z.strictObject({ sha256: hash, rows: z.int().nullable() })),
});
/** What an export holds. */
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Reads the manifest of an export and looks at every file.
 * @throws ConfigurationError when the folder is no export; ConflictError when it is of a newer Clade or a file is not as it was written.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) throw new ConfigurationError(`${folder} is no export of a campaign: it has no ${MANIFEST}`);
  const text = parsed(await readFile(file, 'utf8'));
  const format = z.object({ format: z.int() }).safeParse(text).data?.format ?? EXPORT_FORMAT;
  if (format > EXPORT_FORMAT) {
    throw new ConflictError(`${folder} has format ${format}, this Clade knows up to ${EXPORT_FORMAT}: upgrade Clade`);
  }
  const { data: manifest, error } = manifestSchema.safeParse(text);
  if (manifest === undefined) throw new ConfigurationError(`${file} cannot be read: ${z.prettifyError(error)}`);
  const newer = manifest.migrations.filter((name) => !knownMigrations().includes(name));
  if (newer.length > 0) throw new ConflictError(`${folder} has migration ${newer.at(-1)}: upgrade Clade`);
  for (const [name, { sha256 }] of Object.entries(manifest.files)) {
    if (!existsSync(join(folder, name))) throw new ConflictError(`${name} is missing from ${folder}`);
    if ((await hashOf(join(folder, name))) !== sha256) {
      throw new ConflictError(`${join(folder, name)} is not what was exported: its hash is another`);
    }
  }
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // refused by the schema, with its place
  }
}

/** SHA-256 of a file, hex. */
export async function hashOf(file: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(file)) sum.update(chunk);
  return sum.digest('hex');
}
