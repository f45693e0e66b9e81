import { mkdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { type Content, type Fit, type Found, fitChange } from './fit.ts';
import type { RecordedFile } from './format.ts';
import { below, bytesOf, look, obstacle, waysTo } from './look.ts';

/** A change that does not fit, and why. */
export interface Misfit {
  readonly path: string;
  readonly reason: string;
}

/**
 * Puts recorded changes into a worktree: all of them, or none when one of them does not fit. Deletions come first, because a
 * file may take the place of a folder and a folder that of a file or a link.
 */
export async function place(
  worktree: string,
  files: readonly RecordedFile[],
  signal: AbortSignal,
): Promise<Misfit | null> {
  const steps: { path: string; found: Found; fit: Fit }[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    const found = await look(worktree, file.path);
    steps.push({ path: file.path, found, fit: fitChange(file, found) });
  }
  const gone = new Set(steps.filter(({ fit }) => fit.kind === 'remove').map(({ path }) => path));
  for (const { path, found, fit } of steps) {
    const reason = fit.kind === 'put' ? await blocked(worktree, path, found, gone) : null;
    if (fit.kind === 'misfit') return { path, reason: fit.reason };
    if (reason !== null) return { path, reason };
  }
  signal.throwIfAborted();
  for (const path of gone) await unlink(bytesOf(worktree, path));
  for (const { path, fit } of steps) {
    signal.throwIfAborted();
    if (fit.kind === 'put') await put(worktree, path, fit.content);
  }
  return null;
}

/** What is in the way of a file and does not go, in words; null when nothing is. */
async function blocked(
  worktree: string,
  path: string,
  found: Found,
  gone: ReadonlySet<string>,
): Promise<string | null> {
  const way = await obstacle(worktree, path);
  if (way !== null && !gone.has(way)) return `${way} is no folder now`;
  if (found !== 'folder') return null;
  const left = (await below(worktree, path)).find((inner) => !gone.has(inner));
  return left === undefined ? null : `it is a folder now, with ${left} in it`;
}

async function put(worktree: string, path: string, { mode, bytes }: Content): Promise<void> {
  const target = bytesOf(worktree, path);
  const folder = waysTo(path).at(-1);
  if (folder !== undefined) await mkdir(bytesOf(worktree, folder), { recursive: true });
  // Nothing is written through what is there: a link would lead elsewhere, and a file might have other names.
  await rm(target, { recursive: true, force: true });
  if (mode === '120000') await symlink(bytes, target);
  else await writeFile(target, bytes, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
}
