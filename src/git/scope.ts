import ignore from 'ignore';
import { ScopeError } from '../errors.ts';
import type { Change } from './change.ts';

/** Gitignore patterns; `protect` wins over `edit`. */
export interface Scope {
  readonly edit: readonly string[];
  readonly protect: readonly string[];
}

/** Files by which a repository speaks to Git itself, and names that some file systems take for `.git`. */
const CONTROL = /(^|\/)(\.git[^/]*|git~1)(\/|$)/i;
/** Never editable: they bring in commits that no one can see in the difference. */
const SUBMODULES = /(^|\/)(\.gitmodules|\.git|git~1)(\/|$)/i;

/**
 * Says for each path (as `decodePath` gives it) whether an agent may change it. `*` does not open .gitattributes and
 * its kin: only a pattern that itself speaks of `.git` does.
 */
export function editable(scope: Scope): (path: string) => boolean {
  const edit = ignore({ ignorecase: false, allowRelativePaths: true }).add([...scope.edit]);
  const spoken = scope.edit.filter((pattern) => pattern.includes('.git'));
  const control = ignore({ ignorecase: false, allowRelativePaths: true }).add(spoken);
  const protect = ignore({ ignorecase: false, allowRelativePaths: true }).add([...scope.protect]);
  return (path) =>
    path !== '' &&
    edit.ignores(path) &&
    !protect.ignores(path) &&
    !SUBMODULES.test(path) &&
    (!CONTROL.test(path) || control.ignores(path));
}

/** @throws ScopeError naming the paths that may not be changed. */
export function refusePaths(mayEdit: (path: string) => boolean, paths: readonly string[]): void {
  refuse(
    'outside the edit scope',
    paths.filter((path) => !mayEdit(path)),
  );
}

/** @throws ScopeError when `paths` is not empty. */
export function refuse(what: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const shown = paths.slice(0, 10).join(', ');
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : '';
  throw new ScopeError(`${what}: ${shown}${more}`, paths);
}

/**
 * Refuses changes that are in scope by name but reach out of it.
 * @param targets of each new or changed symbolic link, by blob id.
 * @throws ScopeError
 */
export function refuseKinds(changes: readonly Change[], targets: ReadonlyMap<string, string>): void {
  refuse(
    'nested repository',
    changes.filter((change) => [change.oldMode, change.newMode].includes('160000')).map(pathOf),
  );
  const escaping = changes.filter(
    (change) => change.newMode === '120000' && leavesTree(change.path, targets.get(change.newBlob) ?? '/'),
  );
  refuse('symbolic link that leads out of the repository', escaping.map(pathOf));
}

const pathOf = (change: Change): string => change.path;

/**
 * Whether a link at `path` to `target` leads out of the tree or into `.git`. `..` may only stand at the front of a
 * target: after a name it could climb from wherever another link leads.
 */
export function leavesTree(path: string, target: string): boolean {
  if (target.startsWith('/')) return true;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const climbs = parts.findIndex((part) => part !== '..');
  const up = climbs < 0 ? parts.length : climbs;
  const down = parts.slice(up);
  const depth = path.split('/').length - 1;
  return up > depth || down.includes('..') || (up === depth && /^(\.git|git~1)$/i.test(down[0] ?? ''));
}
