/**
 * What the model can do in a worktree.
 *
 * - `look`     list, read, search
 * - `edit`     replace, write, delete, apply a diff
 * - `command`  run a shell command in the sandbox
 * - `finish`   say what was done
 */
import { runCommand } from './command.ts';
import { applyPatch, deleteFile, replace, writeFile } from './edit.ts';
import { finish, finishPlan } from './finish.ts';
import { listFiles, readFile, search } from './look.ts';
import type { Tool } from './tool.ts';

export { type Tool, ToolError, type ToolResult } from './tool.ts';

export const TOOLS: readonly Tool[] = [
  ...[listFiles, readFile, search, replace, applyPatch, writeFile, deleteFile, runCommand, finish],
];

/** For who decides what is to be changed and changes nothing. */
export const PLANNER_TOOLS: readonly Tool[] = [listFiles, readFile, search, runCommand, finishPlan];
