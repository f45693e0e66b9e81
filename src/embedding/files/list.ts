import { type Eligibility, eligible, isIgnoreFile, readEligibility } from './eligibility.ts';
import type { FileSource, SourceEntry } from './source.ts';

/** The frozen eligibility of a campaign, from the ignore files of its root commit. */
export async function loadEligibility(source: FileSource, rootCommit: string): Promise<Eligibility> {
  const entries = (await source.list(rootCommit)).filter((entry) => isRegular(entry.mode) && isIgnoreFile(entry.path));
  const texts = new Map<string, string>();
  for await (const { blob, bytes } of source.read([...new Set(entries.map((entry) => entry.blob))])) {
    texts.set(blob, new TextDecoder().decode(bytes));
  }
  return readEligibility(entries.map((entry) => ({ path: entry.path, text: texts.get(entry.blob) ?? '' })));
}

/** The entries whose path and size are eligible, sorted by the bytes of the path. */
export function eligibleFiles(eligibility: Eligibility, entries: readonly SourceEntry[]): SourceEntry[] {
  return entries
    .filter((entry) => isRegular(entry.mode) && eligible(eligibility, entry.path, entry.size))
    .map((entry) => ({ entry, key: Buffer.from(entry.path) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ entry }) => entry);
}

/** A plain file: neither a symbolic link (120000) nor a submodule (160000). */
export function isRegular(mode: string): boolean {
  return mode.startsWith('100');
}
