import { lstat, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { InfrastructureError } from '../errors.ts';
import { type BubblewrapPlan, bubblewrapArguments, type Mask } from './bubblewrap.ts';
import { type Leaf, makeLeaf } from './cgroup/leaf.ts';
import type { Isolation } from './isolation.ts';
import { type Limits, NO_LIMITS, prlimitOptions, unmetLimits } from './limit/limits.ts';
import type { IsolationLevel, RunRequest } from './request.ts';
import { contains, systemPaths } from './system-paths.ts';

/** What a child may see and touch. Paths are absolute. Files and network are only fenced at level 2. */
export interface SandboxSpec {
  /** required: refuse to run below level 2; prefer: the best this machine can; off: group and mark only. */
  readonly mode: 'required' | 'prefer' | 'off';
  readonly network: boolean;
  readonly readOnly: readonly string[];
  readonly writable: readonly string[];
  /** Files and folders that look empty although they lie in something bound. */
  readonly hidden: readonly string[];
  /** Absent: no limit but that of /tmp, which is memory. No core dumps either way. */
  readonly limits?: Limits;
}

/** How a request is really started. */
export interface Fence {
  readonly argv: readonly [string, ...string[]];
  readonly level: IsolationLevel;
  /** Descriptor on which bubblewrap reports, null without it. */
  readonly statusFd: number | null;
  /** Whether an exit code of 128 + n means that signal n ended the command, as a shell and bubblewrap say it. */
  readonly encodesSignals: boolean;
  /** The cgroup of this run, at level 3. Whoever has the fence closes it. */
  readonly leaf: Leaf | null;
  /** What was asked for and could not be had, one sentence each. */
  readonly notes: readonly string[];
}

/** The first descriptor after stdin, stdout and stderr. */
export const STATUS_FD = 3;

/** A shell that waits out TERM: it is what the command sees as its parent, so that a kill of the parent hits no one else. */
const GUARD = ['/bin/sh', '-c', 'trap : TERM INT; "$@"; exit $?', 'sh'] as const;

const DEFAULT_TMP_BYTES = 2 ** 30;

/** @throws InfrastructureError when the sandbox is required and the machine has none. */
export async function fence(request: RunRequest, isolation: Isolation): Promise<Fence> {
  const spec = request.sandbox;
  const bare = { level: 0 as const, statusFd: null, leaf: null, notes: [] };
  if (spec === undefined) return { ...bare, argv: request.argv, encodesSignals: false };
  if (spec.mode === 'required' && isolation.bubblewrap === null) {
    throw new InfrastructureError(`the campaign requires a sandbox: ${isolation.notes.join(' ')}`, {
      hint: 'install bubblewrap (apt-get install bubblewrap) and allow user namespaces, or set sandbox: prefer',
    });
  }
  const limits = spec.limits ?? NO_LIMITS;
  const command =
    isolation.prlimit === null ? request.argv : [isolation.prlimit, ...prlimitOptions(limits), '--', ...request.argv];
  const unfenced = (level: 0 | 1, prefix: readonly [string, ...string[]]): Fence => ({
    ...bare,
    argv: [...prefix, ...command],
    level,
    encodesSignals: true,
    notes: unmetLimits(limits, isolation),
  });
  if (spec.mode === 'off') return unfenced(0, GUARD);
  if (isolation.bubblewrap !== null) {
    const argv = bubblewrapArguments(await bubblewrapPlan(request, spec));
    const { leaf, notes } = await leafFor(isolation.cgroup, limits);
    return {
      argv: [...(leaf?.prefix ?? []), isolation.bubblewrap, ...argv, ...command] as [string, ...string[]],
      level: leaf === null ? 2 : 3,
      statusFd: STATUS_FD,
      encodesSignals: true,
      leaf,
      notes: [...unmetLimits(limits, isolation), ...notes],
    };
  }
  const [program, ...options] = isolation.unshare ?? [];
  return program === undefined ? unfenced(0, GUARD) : unfenced(1, [program, ...options, ...GUARD]);
}

/** What worked when the machine was probed may have come to an end: then the run is at level 2, and says why. */
async function leafFor(parent: string | null, limits: Limits): Promise<Pick<Fence, 'leaf' | 'notes'>> {
  if (parent === null) return { leaf: null, notes: [] };
  try {
    return { leaf: await makeLeaf(parent, limits.memoryBytes), notes: [] };
  } catch (error) {
    return { leaf: null, notes: [`no cgroup for this run: ${error instanceof Error ? error.message : error}`] };
  }
}

async function bubblewrapPlan(request: RunRequest, spec: SandboxSpec): Promise<BubblewrapPlan> {
  const system = systemPaths(request.env.PATH ?? '', spec.network);
  const bound = [...spec.readOnly, ...spec.writable];
  const masks = await findMasks(spec.hidden, [...system, ...bound]);
  const { network, readOnly, writable } = spec;
  const tmpBytes = spec.limits?.tmpBytes ?? DEFAULT_TMP_BYTES;
  return { network, cwd: request.cwd, system, readOnly, writable, masks, tmpBytes, statusFd: STATUS_FD };
}

/**
 * Where the hidden paths would show. Compared by real paths: a bound symlink shows its target under another name.
 */
async function findMasks(hidden: readonly string[], bound: readonly string[]): Promise<Mask[]> {
  const masks = new Map<string, Mask>();
  const places = await Promise.all(bound.map(async (path) => ({ path, real: await realOf(path) })));
  for (const path of hidden) {
    const real = await realOf(path);
    if (real === null) continue;
    const kind = (await lstat(real)).isDirectory() ? 'directory' : 'file';
    for (const place of places) {
      if (place.real === null || !contains(place.real, real)) continue;
      const shown = join(place.path, relative(place.real, real));
      masks.set(shown, { path: shown, kind });
    }
  }
  return [...masks.values()];
}

async function realOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    // What is not there cannot be seen; a missing path that must be bound is reported by bubblewrap itself.
    return null;
  }
}
