/**
 * The program that starts all children: a small process of its own, because to start a child a process is copied first, page tables
 * and all, and next to the embedded database that takes ten times as long as here. It ends with the process that it serves, however
 * that ended, and takes the children along.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Notice, Order } from './launch.ts';

interface Started {
  readonly child: ChildProcess;
  readonly detached: boolean;
}

const children = new Map<number, Started>();

/** Nobody may be there to hear it any more, of which `disconnect` tells. */
const say = (notice: Notice): void => void process.send?.(notice, () => {});

process.on('disconnect', () => {
  for (const { child, detached } of children.values()) {
    // A Git that is left alone would go on in a folder that the next process takes over; asked to end, it removes its locks.
    if (!detached) child.kill('SIGTERM');
    else if (child.pid !== undefined) killGroup(child.pid);
  }
  process.exit();
});
process.on('message', (order: Order) => {
  if (order.kind === 'start') return start(order);
  const child = children.get(order.id)?.child;
  if (order.kind === 'input') return pass(order, child);
  const pipes = outputs(child);
  if (order.kind === 'taken') pipes[order.output]?.resume();
  else for (const pipe of pipes) pipe.destroy();
});

const outputs = (child: ChildProcess | undefined): Readable[] =>
  (child?.stdio.slice(1) ?? []).filter((pipe) => pipe instanceof Readable);

function start({ id, program }: Order & { kind: 'start' }): void {
  const open = program.talks === true || program.stdin !== undefined;
  let child: ChildProcess;
  try {
    child = spawn(program.file, program.argv, {
      cwd: program.cwd,
      env: program.env,
      detached: program.detached,
      stdio: [open ? 'pipe' : 'ignore', ...Array<'pipe'>(program.outputs).fill('pipe')],
    });
  } catch (error) {
    say({ kind: 'started', id, pid: null, failure: error instanceof Error ? error.message : String(error) });
    return;
  }
  child.once('error', (error) => {
    if (child.pid === undefined) say({ kind: 'started', id, pid: null, failure: error.message });
  });
  if (child.pid === undefined) return;
  children.set(id, { child, detached: program.detached });
  say({ kind: 'started', id, pid: child.pid, failure: '' });
  child.stdin?.on('error', () => {}); // it ended without reading everything, which is its right
  if (program.talks !== true) child.stdin?.end(program.stdin);
  for (const [output, pipe] of outputs(child).entries()) {
    pipe.on('data', (bytes: Uint8Array) => {
      pipe.pause(); // until it is taken: a child is not read faster than its output is used
      say({ kind: 'output', id, output, bytes });
    });
  }
  child.once('exit', (code, signal) => say({ kind: 'exited', id, exit: { code, signal } }));
  child.once('close', () => {
    children.delete(id);
    say({ kind: 'closed', id });
  });
}

/** The callback comes in any case, also when nobody reads any more. */
function pass({ id, bytes }: Order & { kind: 'input' }, child: ChildProcess | undefined): void {
  if (bytes === null) child?.stdin?.end();
  else child?.stdin?.write(bytes, () => say({ kind: 'accepted', id }));
}

/** Who left the group is found by its mark at the next start. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
