/** A fence as data. All paths are absolute; the caller has looked at the file system, this file has not. */
export interface BubblewrapPlan {
  readonly network: boolean;
  readonly cwd: string;
  /** Parts of the system: bound read-only where they exist. */
  readonly system: readonly string[];
  readonly readOnly: readonly string[];
  /** Wins over `readOnly` for the same path. */
  readonly writable: readonly string[];
  /** Existing paths below the bound ones that must look empty. */
  readonly masks: readonly Mask[];
  /** Size of each of the two file systems in memory that the fence has of its own: /tmp and /dev/shm. */
  readonly tmpBytes: number;
  /** Descriptor on which bubblewrap reports the pid of the fence's init and whether the command was started at all. */
  readonly statusFd: number;
}

export interface Mask {
  readonly path: string;
  readonly kind: 'directory' | 'file';
}

/**
 * Arguments of bwrap(1), up to and including `--`.
 *
 * - `--cap-drop ALL`: as root, capabilities inside would allow a remount of the read-only binds.
 * - No `--clearenv`: bubblewrap itself is started with the child's environment, because /proc/1/environ shows its own.
 * - Only what is named is bound; `--ro-bind / /` would show the secrets of the host.
 * - The root and /dev are in memory, too, without a size: read-only, or they could be filled.
 * - `--die-with-parent` holds for the thread that spawns, so children must be started from the main thread.
 */
export function bubblewrapArguments(plan: BubblewrapPlan): string[] {
  const base = ['--unshare-all', ...(plan.network ? ['--share-net'] : []), '--die-with-parent', '--new-session'];
  const memory = (path: string) => ['--size', `${plan.tmpBytes}`, '--tmpfs', path];
  const masked = plan.masks.filter((mask) => mask.kind === 'directory').flatMap(({ path }) => ['--remount-ro', path]);
  return [
    ...base,
    ...['--cap-drop', 'ALL', '--json-status-fd', `${plan.statusFd}`],
    // /tmp before the binds: a bound path may lie below it.
    ...['--proc', '/proc', '--dev', '/dev', ...memory('/dev/shm'), ...memory('/tmp')],
    ...mounts(plan).flatMap((mount) => mount.argv),
    ...masked,
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', plan.cwd, '--'],
  ];
}

interface Mount {
  readonly path: string;
  /** Order among mounts of one path: the last one is what is seen. */
  readonly rank: number;
  readonly argv: string[];
}

/** A parent before its children, or it would cover them. */
function mounts(plan: BubblewrapPlan): Mount[] {
  const all: Mount[] = [
    ...plan.system.map((path) => ({ path, rank: 0, argv: ['--ro-bind-try', path, path] })),
    ...plan.readOnly.map((path) => ({ path, rank: 1, argv: ['--ro-bind', path, path] })),
    ...plan.writable.map((path) => ({ path, rank: 2, argv: ['--bind', path, path] })),
    ...plan.masks.map(({ path, kind }) => ({
      path,
      rank: 3,
      argv: kind === 'directory' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    })),
  ];
  // In the order of strings a path comes before all that starts with it.
  return all.sort((a, b) => (a.path === b.path ? a.rank - b.rank : a.path < b.path ? -1 : 1));
}
