import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GitError, InfrastructureError } from '../errors.ts';
import { formatOf, matchObjectFormat } from './format.ts';
import { createHub, type Hub, type ObjectFormat, SOURCE_CONFIG } from './hub.ts';
import { act, type Site } from './run.ts';

/** Commits that a mirror is known to have; ids name contents, and nothing here takes any away. */
const present = new WeakMap<Hub, Set<string>>();

/**
 * Has the commits here, fetching those that only the shared hub has. A hub without a remote is that hub itself, and so is a process that
 * works alone.
 * @throws InfrastructureError when they cannot be fetched.
 */
export async function havePresent(hub: Hub, commits: readonly string[]): Promise<void> {
  if (hub.remote === null) return;
  const known = present.get(hub) ?? new Set<string>();
  const [first] = commits;
  if (!present.has(hub) && first !== undefined) await matchObjectFormat(hub, formatOf(first));
  present.set(hub, known);
  const sought = [...new Set(commits)].filter((commit) => !known.has(commit));
  const missing = sought.length === 0 ? [] : await missingOf(hub, sought);
  if (missing.length > 0) await fetchFrom(hub, hub.remote, missing);
  for (const commit of sought) known.add(commit);
}

/** Gives a ref to the shared hub, with all that it holds. */
export async function publishRef(hub: Hub, ref: string): Promise<void> {
  if (hub.remote === null) return;
  // A ref of an attempt that lost its claim is written over, as it is in one process.
  await through(hub, hub.remote, ['push', '--quiet', '--no-verify', '--', hub.remote, `+${ref}:${ref}`]);
}

/** Has all refs below a prefix here that the shared hub has. */
export async function fetchRefs(hub: Hub, prefix: string): Promise<void> {
  if (hub.remote === null) return;
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--update-shallow'];
  await through(hub, hub.remote, ['fetch', ...options, '--', hub.remote, `+${prefix}*:${prefix}*`]);
}

/** Gives all refs below a prefix to the shared hub. */
export async function publishRefs(hub: Hub, prefix: string): Promise<void> {
  if (hub.remote === null) return;
  await through(hub, hub.remote, ['push', '--quiet', '--no-verify', '--', hub.remote, `+${prefix}*:${prefix}*`]);
}

/** Takes a ref away from the shared hub; one that is not there is fine. */
export async function retractRef(hub: Hub, ref: string): Promise<void> {
  if (hub.remote === null || !((await remoteRefs(hub, ref)) ?? new Map()).has(ref)) return;
  await through(hub, hub.remote, ['push', '--quiet', '--no-verify', '--', hub.remote, `:${ref}`]);
}

/** The refs below a prefix in the shared hub, as ref → object id; null where there is none. */
export async function remoteRefs(hub: Hub, prefix: string): Promise<Map<string, string> | null> {
  if (hub.remote === null) return null;
  const listed = await through(hub, hub.remote, ['ls-remote', '--refs', '--', hub.remote, `${prefix}*`]);
  return new Map(Array.from(listed.matchAll(/^(\S+)\t(\S+)$/gm), ([, id = '', ref = '']) => [ref, id]));
}

/**
 * Makes the shared hub when it is a folder of this machine, or one that is mounted here, and is not there yet. Elsewhere an empty bare
 * repository has to be there.
 */
export async function prepareRemote(hub: Hub, format: ObjectFormat): Promise<void> {
  const dir = hub.remote === null ? null : localPath(hub.remote);
  if (dir !== null && !existsSync(join(dir, 'HEAD'))) await createHub(dir, format);
}

function localPath(remote: string): string | null {
  if (isAbsolute(remote)) return remote;
  return remote.startsWith('file://') ? fileURLToPath(remote) : null;
}

/** Those of some objects that this hub does not hold. */
export async function missingOf(hub: Hub, ids: readonly string[]): Promise<string[]> {
  const { stdout } = await act({ gitDir: hub.dir }, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    stdin: ids.map((id) => `${id}\n`).join(''),
  });
  return Array.from(stdout.toString().matchAll(/^(\S+) missing$/gm), ([, id]) => id ?? '');
}

async function fetchFrom(hub: Hub, remote: string, ids: readonly string[]): Promise<void> {
  // The root is where history begins, in a hub that was fetched without what is before it.
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--update-shallow'];
  await through(hub, remote, ['fetch', ...options, '--', remote, ...ids]);
}

async function through(hub: Hub, remote: string, argv: readonly string[]): Promise<string> {
  try {
    return (await act(transport(hub), argv)).stdout.toString();
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    throw new InfrastructureError(`the shared hub ${withoutPassword(remote)} cannot be reached`, {
      cause,
      hint: cause.stderr.trim().split('\n').at(-1) ?? '',
    });
  }
}

/** Ends by itself when nothing comes through: no transfer and no login waits for ever. */
function transport(hub: Hub): Site {
  return {
    gitDir: hub.dir,
    env: {
      GIT_CONFIG_GLOBAL: join(hub.dir, SOURCE_CONFIG),
      GIT_ALLOW_PROTOCOL: 'file:ssh:https:http',
      GIT_HTTP_LOW_SPEED_LIMIT: '1000',
      GIT_HTTP_LOW_SPEED_TIME: '30',
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=10 -o ServerAliveCountMax=3',
    },
  };
}

function withoutPassword(remote: string): string {
  const url = URL.parse(remote);
  if (url === null || url.password === '') return remote;
  url.password = '***';
  return url.href;
}
