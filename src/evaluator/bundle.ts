import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, realpath, rename, rm, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Campaign } from '../config/index.ts';
import { ConfigurationError, InfrastructureError } from '../errors.ts';
import { beginCopy, removeUnfinished } from './incoming.ts';
import { addLibrary } from './library.ts';

/** The pinned copy of a campaign's own files: `dir` is `<into>/<hash>`, read-only. */
export interface Bundle {
  readonly dir: string;
  /** SHA-256, hex, over the sorted list of (path, kind or executable bit, bytes). */
  readonly hash: string;
}

/** Never part of a bundle, at any depth. */
const LEFT_OUT = new Set(['node_modules', '.clade', '.git']);
const CAMPAIGN_FILE = 'campaign.yaml';

/**
 * Copies the campaign folder to `<into>/<hash>`, without campaign.yaml, the target, hidden paths, node_modules and .clade, and
 * Clade's own evaluator library beside it, so that neither a candidate nor a later edit changes the judge. The hash is taken
 * of all that; an equal copy is kept.
 *
 * @throws ConfigurationError when the folder holds a link out of it or a special file: its content could not be pinned.
 */
export async function pinBundle(
  campaign: Pick<Campaign, 'directory' | 'target' | 'evaluator'>,
  into: string,
): Promise<Bundle> {
  const from = campaign.directory;
  const excluded = await leftOut(campaign, into);
  await mkdir(into, { recursive: true });
  await removeUnfinished(into);
  const copy = await beginCopy(into);
  try {
    await copyFolder(from, copy, excluded, from);
    await addLibrary(copy);
    const hash = await hashFolder(copy);
    const dir = join(into, hash);
    await place(copy, dir, hash);
    return { dir, hash };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Paths below the campaign folder; what is hidden is left out by its real path, too, which a link may lead to. */
async function leftOut(
  { directory, target, evaluator }: Pick<Campaign, 'directory' | 'target' | 'evaluator'>,
  into: string,
): Promise<Set<string>> {
  const { repository, mirror } = target;
  const hidden = evaluator.hidden.map(({ path }) => path);
  const real = await Promise.all([directory, ...hidden].map(realOf));
  const [home = directory, ...behind] = real;
  return new Set(
    [
      join(directory, CAMPAIGN_FILE),
      into,
      repository,
      mirror ?? repository,
      ...hidden,
      ...behind.map((path) => join(directory, relative(home, path))),
    ]
      .filter(isAbsolute)
      .map((path) => resolve(path)),
  );
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // What is not there cannot be copied either.
    return path;
  }
}

/** @throws InfrastructureError when a file of the bundle was changed, added or removed since it was pinned. */
export async function verifyBundle(bundle: Bundle): Promise<void> {
  const found = await hashFolder(bundle.dir);
  if (found === bundle.hash) return;
  throw new InfrastructureError(`the pinned evaluator in ${bundle.dir} was changed: its hash is now ${found}`, {
    hint: 'remove that folder; it is copied again from the campaign at the next start',
  });
}

/**
 * Puts a copy that came from elsewhere in its place. Another process may have done the same a moment ago.
 * @throws InfrastructureError when the copy has another hash.
 */
export async function adopt(copy: string, dir: string, hash: string): Promise<void> {
  await verifyBundle({ dir: copy, hash });
  await place(copy, dir, hash);
}

async function place(copy: string, dir: string, hash: string): Promise<void> {
  try {
    await rename(copy, dir);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await verifyBundle({ dir, hash });
  }
  await protect(dir);
}

async function copyFolder(from: string, to: string, excluded: ReadonlySet<string>, root: string): Promise<void> {
  for (const name of await readdir(from)) {
    const [source, copy] = [join(from, name), join(to, name)];
    if (LEFT_OUT.has(name) || excluded.has(source)) continue;
    const stat = await lstat(source);
    if (stat.isDirectory()) {
      await mkdir(copy);
      await copyFolder(source, copy, excluded, root);
    } else if (stat.isSymbolicLink()) {
      await symlink(await innerLink(source, root), copy);
    } else if (stat.isFile()) {
      await copyFile(source, copy);
      await chmod(copy, (stat.mode & 0o111) === 0 ? 0o444 : 0o555);
    } else {
      throw new ConfigurationError(`${source} is neither a file, a folder nor a link: it cannot be pinned`);
    }
  }
}

async function innerLink(path: string, root: string): Promise<string> {
  const target = await readlink(path);
  const way = relative(root, resolve(dirname(path), target));
  if (!isAbsolute(target) && way !== '..' && !way.startsWith(`..${sep}`)) return target;
  throw new ConfigurationError(`${path} links to ${target}, outside the campaign folder: it cannot be pinned`, {
    hint: 'copy what it links to into the campaign folder, or remove it',
  });
}

/** Sizes before contents, so that two different folders never give one stream of bytes. */
async function hashFolder(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await listFiles(root, '')) {
    const full = join(root, path);
    const stat = await lstat(full);
    const link = stat.isSymbolicLink();
    const kind = link ? 'link' : (stat.mode & 0o111) === 0 ? 'file' : 'executable';
    hash.update(`${path}\0${kind}\0${stat.size}\0`);
    if (link) hash.update(await readlink(full));
    else for await (const chunk of createReadStream(full)) hash.update(chunk);
  }
  return hash.digest('hex');
}

/** Everything but folders, relative to `root`, in an order that does not depend on the file system. */
async function listFiles(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await listFiles(root, path)));
    else found.push(path);
  }
  return found.sort();
}

async function protect(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await protect(join(folder, entry.name));
  }
  await chmod(folder, 0o555);
}
