import { MARK_VARIABLE } from '../mark.ts';
import { listPids, processParent, readVariable } from '../proc.ts';

/**
 * Pids of the running processes of a run, `leader` included: all that descend from it. In a pid namespace that is everybody,
 * since an orphan goes to the first process of its namespace, which descends from the leader. Without one an orphan leaves
 * the tree, and is found by the run's `mark`.
 */
export function membersOf(leader: number, mark: string | null): number[] {
  const children = new Map<number, number[]>();
  const found = [leader];
  for (const pid of listPids()) {
    const parent = processParent(pid);
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [pid]);
    else siblings.push(pid);
    if (mark !== null && pid !== leader && readVariable(pid, MARK_VARIABLE) === mark) found.push(pid);
  }
  const members = new Set<number>();
  for (let pid = found.pop(); pid !== undefined; pid = found.pop()) {
    if (members.has(pid)) continue;
    members.add(pid);
    found.push(...(children.get(pid) ?? []));
  }
  return [...members];
}
