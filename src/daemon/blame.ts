import { statfs } from 'node:fs/promises';
import { ConfigurationError, GitError, InfrastructureError, InterruptedError } from '../errors.ts';

/** A Git that has less than this left, in bytes, fails for want of it. */
const LEAST_SPACE = 16 * 1024 * 1024;

/**
 * Whether the job itself may be what its work failed of: a Git that refuses its commit, or a bug that its files bring out.
 * Otherwise it is the machine or the configuration, which would fail any job. Git does not tell a full disk from other
 * trouble but by its text, so the space in `folder` is looked at.
 */
export async function mayBlameJob(error: unknown, folder: string): Promise<boolean> {
  if (error instanceof InfrastructureError || error instanceof InterruptedError) return false;
  if (error instanceof ConfigurationError || isSystemError(error)) return false;
  if (!(error instanceof GitError)) return true;
  // A folder that is gone is no job's doing either.
  const disk = await statfs(folder).catch(() => null);
  return disk !== null && disk.bavail * disk.bsize >= LEAST_SPACE && (disk.files === 0 || disk.ffree > 0);
}

/** What Node throws when the operating system refuses something. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'errno' in error;
}
