import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { isRecord } from '../../src/config/key-path.ts';

/** The least that a campaign file must say. */
export const MINIMAL = {
  target: { repository: 'https://example.org/demo.git' },
  goal: 'Make it faster.',
  evaluator: { command: ['python3', 'bench.py'], objectives: [{ name: 'speed', direction: 'maximize' }] },
};

/** The minimal campaign with more keys laid over it, as YAML. */
export function yamlWith(changes: object): string {
  return stringify(merge(MINIMAL, changes));
}

function merge(base: unknown, changes: unknown): unknown {
  if (!isRecord(base) || !isRecord(changes)) return changes;
  const merged = Object.entries(changes).map(([key, value]) => [key, merge(base[key], value)]);
  return { ...base, ...Object.fromEntries(merged) };
}

export interface TestFile {
  readonly path: string;
  readonly text: string;
  readonly executable?: boolean;
}

/** A folder with the given files that goes away with the `await using` block. */
export async function temporaryFolder(files: readonly TestFile[]) {
  const path = await mkdtemp(join(tmpdir(), 'clade-config-'));
  for (const file of files) {
    const to = join(path, file.path);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, file.text);
    if (file.executable === true) await chmod(to, 0o755);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
