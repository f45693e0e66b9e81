/**
 * The program that starts all children: a small process of its own, because to start a child a process is copied first, page tables
 * and all, and next to the embedded database that takes ten times as long as here. It ends with the process that it serves; children
 * fenced by bubblewrap end with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Notice, Order } from './launch.ts';

const children = new Map<number, ChildProcess>();

const say = (notice: Notice): void => void process.send?.(notice);

process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  if (order.kind === 'start') return start(order);
  const pipes = outputs(children.get(order.id));
  if (order.kind === 'taken') pipes[order.output]?.resume();
  else for (const pipe of pipes) pipe.destroy();
});

const outputs = (child: ChildProcess | undefined): Readable[] =>
  (child?.stdio.slice(1) ?? []).filter((pipe) => pipe instanceof Readable);

function start({ id, program }: Order & { kind: 'start' }): void {
  let child: ChildProcess;
  try {
    child = spawn(program.file, program.argv, {
      cwd: program.cwd,
      env: program.env,
      detached: program.detached,
      stdio: [program.stdin === undefined ? 'ignore' : 'pipe', ...Array<'pipe'>(program.outputs).fill('pipe')],
    });
  } catch (error) {
    say({ kind: 'started', id, pid: null, failure: error instanceof Error ? error.message : String(error) });
    return;
  }
  child.once('error', (error) => {
    if (child.pid === undefined) say({ kind: 'started', id, pid: null, failure: error.message });
  });
  if (child.pid === undefined) return;
  children.set(id, child);
  say({ kind: 'started', id, pid: child.pid, failure: '' });
  child.stdin?.on('error', () => {}); // it ended without reading everything, which is its right
  child.stdin?.end(program.stdin);
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
