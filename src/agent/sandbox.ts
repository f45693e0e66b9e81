import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { SandboxSpec } from '../process/index.ts';
import type { Task } from './task.ts';

/**
 * What a process of an agent may touch: the worktree and its scratch folder. Files that argv names by an absolute path can be
 * read, or no script could be run, and what `more` names. `.git` is read-only: a replaced one would make Git outside run what its configuration says.
 */
export function sandboxFor(
  task: Task,
  argv: readonly string[],
  network: boolean,
  more: readonly string[] = [],
): SandboxSpec {
  const readOnly = [join(task.worktree, '.git'), ...argv.filter(isAbsolute), ...more].filter((path) =>
    existsSync(path),
  );
  return {
    mode: task.sandbox,
    network,
    readOnly: [...readOnly, ...(task.readable ?? [])],
    writable: [task.worktree, task.scratch],
    hidden: task.hidden ?? [],
    ...(task.limits === undefined ? {} : { limits: task.limits }),
  };
}
