import { rm } from 'node:fs/promises';
import { GitError } from '../errors.ts';
import { createHub, type Hub, type ObjectFormat } from './hub.ts';
import { act, ask } from './run.ts';

/** The kind of an id, by its length. */
export function formatOf(id: string): ObjectFormat {
  return id.length === 64 ? 'sha256' : 'sha1';
}

/**
 * A hub holds one kind of object ids; an empty one is made anew in the kind that is wanted.
 * @throws GitError when it holds objects of the other kind.
 */
export async function matchObjectFormat(hub: Hub, wanted: ObjectFormat): Promise<void> {
  const format = (await ask({ gitDir: hub.dir }, ['rev-parse', '--show-object-format'])).trim();
  if (format === wanted) return;
  const { stdout } = await act({ gitDir: hub.dir }, ['for-each-ref', '--count=1']);
  if (stdout.length > 0) {
    throw new GitError(`the hub holds ${format} objects, the target has ${wanted}`, '', {
      hint: 'use a hub of its own',
    });
  }
  await rm(hub.dir, { recursive: true });
  await createHub(hub.dir, wanted);
}
