import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GitError } from '../errors.ts';
import { matchObjectFormat } from './format.ts';
import type { Hub, ObjectFormat } from './hub.ts';
import { fetchRefs, prepareRemote, publishRefs } from './mirror.ts';
import { listRefs } from './ref.ts';
import { act } from './run.ts';

/** Where the history of a hub ends, as it is fetched of a target: a bundle does not say it itself. */
const SHALLOW = 'shallow';

/** Writes all that the refs below a prefix hold as a Git bundle, and beside it where history ends. Returns the refs. */
export async function writeBundle(hub: Hub, prefix: string, file: string): Promise<Map<string, string>> {
  await fetchRefs(hub, prefix);
  const refs = await listRefs(hub, prefix);
  if (refs.size === 0) throw new GitError('there are no commits to write', '');
  await mkdir(dirname(file), { recursive: true });
  await act({ gitDir: hub.dir }, ['bundle', 'create', '--quiet', file, '--stdin'], {
    stdin: [...refs.keys()].map((ref) => `${ref}\n`).join(''),
  });
  const shallow = join(hub.dir, SHALLOW);
  if (existsSync(shallow)) await copyFile(shallow, `${file}.shallow`);
  else await rm(`${file}.shallow`, { force: true });
  return refs;
}

/**
 * Brings such a bundle into a hub, and gives it to the hub that all machines share.
 * @throws GitError when it is not whole, or its refs are not those that are expected.
 */
export async function readBundle(
  hub: Hub,
  file: string,
  expected: { readonly format: ObjectFormat; readonly refs: ReadonlyMap<string, string>; readonly prefix: string },
): Promise<void> {
  await matchObjectFormat(hub, expected.format);
  if (existsSync(`${file}.shallow`)) await copyFile(`${file}.shallow`, join(hub.dir, SHALLOW));
  await act({ gitDir: hub.dir }, ['bundle', 'unbundle', file]);
  const commands = [...expected.refs].map(([ref, id]) => `update ${ref} ${id}\n`).join('');
  await act({ gitDir: hub.dir }, ['update-ref', '--stdin'], { stdin: commands });
  // Walks all that the refs reach: a hub that lacks something is noticed now, not when a job needs it.
  await act({ gitDir: hub.dir }, ['rev-list', '--objects', '--quiet', '--stdin'], {
    stdin: [...expected.refs.values()].map((id) => `${id}\n`).join(''),
  });
  await prepareRemote(hub, expected.format);
  await publishRefs(hub, expected.prefix);
}
