import { lstat, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { InfrastructureError } from '../errors.ts';
import { bubblewrapArguments, type Mask } from './bubblewrap.ts';
import type { Isolation } from './isolation.ts';
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
  /** Limit of the address space of each process. Mind that Node reserves far more than it uses. */
  readonly memoryBytes?: number;
}

/** How a request is really started. */
export interface Fence {
  readonly argv: readonly [string, ...string[]];
  readonly level: IsolationLevel;
  /** Descriptor on which bubblewrap reports, null without it. */
  readonly statusFd: number | null;
  /** Whether an exit code of 128 + n means that signal n ended the command, as a shell and bubblewrap say it. */
  readonly encodesSignals: boolean;
}

/** The first descriptor after stdin, stdout and stderr. */
export const STATUS_FD = 3;

/** A shell that waits out TERM: it is what the command sees as its parent, so that a kill of the parent hits no one else. */
const GUARD = ['/bin/sh', '-c', 'trap : TERM INT; "$@"; exit $?', 'sh'] as const;

/** @throws InfrastructureError when the sandbox is required and the machine has none. */
export async function fence(request: RunRequest, isolation: Isolation): Promise<Fence> {
  const spec = request.sandbox;
  if (spec === undefined) return { argv: request.argv, level: 0, statusFd: null, encodesSignals: false };
  if (spec.mode === 'required' && isolation.bubblewrap === null) {
    throw new InfrastructureError(`the campaign requires a sandbox: ${isolation.notes.join(' ')}`, {
      hint: 'install bubblewrap (apt-get install bubblewrap) and allow user namespaces, or set sandbox: prefer',
    });
  }
  const command = limited(request.argv, spec, isolation);
  if (spec.mode === 'off') return { argv: [...GUARD, ...command], level: 0, statusFd: null, encodesSignals: true };
  if (isolation.bubblewrap !== null) {
    const plan = await bubblewrapPlan(request, spec);
    const argv = [isolation.bubblewrap, ...bubblewrapArguments(plan), ...command] as const;
    return { argv: [...argv], level: 2, statusFd: STATUS_FD, encodesSignals: true };
  }
  const [program, ...options] = isolation.unshare ?? [];
  if (program === undefined) return { argv: [...GUARD, ...command], level: 0, statusFd: null, encodesSignals: true };
  return { argv: [program, ...options, ...GUARD, ...command], level: 1, statusFd: null, encodesSignals: true };
}

function limited(argv: readonly string[], spec: SandboxSpec, isolation: Isolation): readonly string[] {
  if (spec.memoryBytes === undefined || isolation.prlimit === null) return argv;
  return [isolation.prlimit, `--as=${spec.memoryBytes}`, '--', ...argv];
}

async function bubblewrapPlan(request: RunRequest, spec: SandboxSpec) {
  const system = systemPaths(request.env.PATH ?? '', spec.network);
  const bound = [...spec.readOnly, ...spec.writable];
  const masks = await findMasks(spec.hidden, [...system, ...bound]);
  const { network, readOnly, writable } = spec;
  return { network, cwd: request.cwd, system, readOnly, writable, masks, statusFd: STATUS_FD };
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
