import type { PermissionOption, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { Task } from '../task.ts';
import { changes, insideOf } from './journal.ts';
import type { ToolCall } from './tools.ts';

/** What permissions are given by. */
export type Scope = Pick<Task, 'worktree' | 'editable' | 'role'> & { readonly network: boolean };

/** Why a call is not permitted; null: it is. */
export function objection({ kind, paths }: ToolCall, { worktree, editable, role, network }: Scope): string | null {
  if (changes(kind)) {
    if (role === 'planner') return 'a planner changes nothing';
    const inside = insideOf(worktree, paths);
    // With no path the call says nothing of its extent; what comes of it is checked with the whole proposal.
    if (inside.length === paths.length && inside.every(editable)) return null;
    return `outside the edit scope: ${paths.filter((path) => !insideOf(worktree, [path]).some(editable)).join(', ')}`;
  }
  if (kind === 'fetch' && !network) return 'there is no network';
  if (kind === 'switch_mode' && role === 'planner') return 'a planner changes nothing';
  return null;
}

/**
 * The answer to a question with these options. For a call that changes files none that covers later calls too: each is to be
 * looked at by itself.
 */
export function answer(
  options: readonly PermissionOption[],
  kind: string,
  allowed: boolean,
): RequestPermissionResponse & { readonly allowed: boolean } {
  const pick = (wanted: PermissionOption['kind']) => options.find((option) => option.kind === wanted);
  const yes = allowed ? (pick('allow_once') ?? (changes(kind) ? undefined : pick('allow_always'))) : undefined;
  const option = yes ?? pick('reject_once') ?? pick('reject_always');
  return {
    allowed: yes !== undefined,
    outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId },
  };
}
