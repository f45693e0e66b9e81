import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SeedSource, SeedView } from '../../daemon/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { print } from '../output.ts';

/** Brings commits and patches of the user into a campaign; a name that is a file is a patch. */
export async function seed(options: GlobalOptions, name: string, given: readonly string[]): Promise<number> {
  return withApi(options, `seed ${name}`, async (api) => {
    const seeds: SeedView[] = [];
    // One after another, because they enter in this order. After a refusal the same command goes on with what is missing.
    for (const source of await Promise.all(given.map(sourceOf))) seeds.push(await api.seed(name, source));
    print(seeds, options.json, (all) => all.map(render).join('\n'));
    return 0;
  });
}

async function sourceOf(given: string): Promise<SeedSource> {
  const found = await stat(given).catch(() => null); // whatever cannot be read as a file is looked up as a revision
  if (found?.isFile() !== true) return { kind: 'commit', revision: given };
  return { kind: 'patch', name: basename(given), base64: await readFile(given, 'base64') };
}

function render({ campaign, source, title, commit, added, job }: SeedView): string {
  const what = title === source ? source : `${source} (${title})`;
  if (job !== null) return `${what}: known, its files are those of ${campaign}:${job}`;
  return added
    ? `${what}: commit ${commit.slice(0, 12)} waits; the next jobs that are planned begin with it`
    : `${what}: known, it waits for the next jobs to be planned`;
}
