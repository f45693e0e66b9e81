import { createHash, randomBytes } from 'node:crypto';
import { processStart } from './proc.ts';

/** The variable that every child carries, inherited by whatever it starts, setsid or not. */
export const MARK_VARIABLE = 'CLADE_MARK';

/** `<workspace>.<owner pid>.<owner start>.<random>`: whose run it is, and which. */
export interface Mark {
  readonly workspace: string;
  readonly ownerPid: number;
  readonly ownerStart: number;
}

/**
 * One process serves one workspace (it holds the workspace's lock), so its name is said once at start and not with every
 * run; the price is this variable.
 */
let workspace = 'none';

/** Says for which workspace this process starts its children from now on. `mark` comes from `workspaceMark`. */
export function nameWorkspace(mark: string): void {
  workspace = mark;
}

/** A short name for a workspace folder, equal for every process that serves it. */
export function workspaceMark(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 16);
}

/** A fresh mark for one run of this process. */
export function createMark(): string {
  ownStart ??= processStart(process.pid) ?? 0;
  return `${workspace}.${process.pid}.${ownStart}.${randomBytes(12).toString('hex')}`;
}

let ownStart: number | undefined;

export function parseMark(text: string): Mark | null {
  const [name, pid, start, random] = text.split('.');
  if (name === undefined || random === undefined) return null;
  return { workspace: name, ownerPid: Number(pid), ownerStart: Number(start) };
}
