import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConflictError } from '../errors.ts';
import { processStart } from '../process/index.ts';

/** Who holds a workspace. */
const holderSchema = z.object({
  label: z.string(),
  pid: z.int(),
  /** `processStart`: with the pid it names one process; null where there is no /proc. */
  start: z.int().nullable(),
  boot: z.string().nullable(),
  host: z.string(),
  command: z.string(),
  since: z.string(),
  released: z.boolean(),
});
export type Holder = z.infer<typeof holderSchema>;

export interface WorkspaceLock {
  release(): void;
}

/**
 * Takes a workspace for this process. The lock is a folder of numbered records; the highest one is the holder, and it counts only while its
 * process lives. Taking over means to create the next number, which `link` grants to one process only. The highest record is never
 * removed, a release only marks it: so a process that judged an old record cannot come back to a number that was free again.
 *
 * @throws ConflictError naming the holder.
 */
export function lockWorkspace(directory: string, label: string): WorkspaceLock {
  mkdirSync(directory, { recursive: true });
  const draft = join(directory, `.${process.pid}-${process.hrtime.bigint()}`);
  const me = describeSelf(label);
  writeFileSync(draft, `${JSON.stringify(me, null, 2)}\n`);
  try {
    for (;;) {
      const highest = numbersIn(directory).at(-1);
      if (highest !== undefined) refuseWhileHeld(directory, highest);
      const mine = (highest ?? 0) + 1;
      if (!created(draft, join(directory, String(mine)))) continue;
      const all = numbersIn(directory);
      if (all.at(-1) !== mine) {
        // Our number had been used and swept away by a later holder while we looked.
        rmSync(join(directory, String(mine)), { force: true });
        continue;
      }
      for (const older of all.slice(0, -1)) rmSync(join(directory, String(older)), { force: true });
      return { release: () => markReleased(directory, mine, me) };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function refuseWhileHeld(directory: string, number: number): void {
  const path = join(directory, String(number));
  const holder = readHolder(path);
  if (holder === undefined || holder.released || !isAlive(holder)) return;
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  throw new ConflictError(
    `the workspace is in use by ${holder.label} (pid ${holder.pid}${where}, since ${holder.since}): ${holder.command}`,
    {
      hint:
        holder.host === hostname()
          ? 'stop that process first, or set CLADE_DATABASE_URL to a PostgreSQL server, which many processes can share'
          : `if that machine no longer runs it, delete ${path}`,
    },
  );
}

/** Undefined when a later holder has swept the record away. */
function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConflictError(`${path} is not a lock record`, { cause, hint: 'delete it if no Clade runs here' });
  }
}

/** A process of another machine counts as alive: nothing here can tell. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  if (holder.boot !== bootId()) return false;
  if (holder.start !== null) return holder.start === processStart(holder.pid);
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return !isErrno(error, 'ESRCH');
  }
}

function describeSelf(label: string): Holder {
  return {
    label,
    pid: process.pid,
    start: processStart(process.pid),
    boot: bootId(),
    host: hostname(),
    command: process.argv.join(' '),
    since: new Date().toISOString(),
    released: false,
  };
}

/** Tells a pid of this boot from one of an earlier boot; null where there is no /proc. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

function markReleased(directory: string, number: number, me: Holder): void {
  const draft = join(directory, `.${process.pid}-released`);
  try {
    writeFileSync(draft, `${JSON.stringify({ ...me, released: true }, null, 2)}\n`);
    renameSync(draft, join(directory, String(number)));
  } catch (error) {
    // The workspace was deleted under us: there is nothing to let go of.
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

function created(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

function numbersIn(directory: string): number[] {
  return readdirSync(directory)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
