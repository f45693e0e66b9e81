import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Agent, AgentEvent, Task } from '../../src/agent/index.ts';
import { generatorFor } from '../../src/qd/index.ts';

/** A small program with something for every operator. */
export const PACK = `export function pack(items) {
  let temperature = 1.5;
  let best = null;
  for (let i = 0; i < items.length; i++) {
    temperature *= 0.95;
    if (best === null || items[i] > best) {
      best = items[i];
    }
  }
  return best + temperature;
}
`;

/** What a command without a preset says of models. */
export const PLAIN = { preset: null, provider: 'openai', model: null } as const;

/** A worktree with a Git repository around it, and a scratch folder; removed when disposed of. */
export interface Workshop extends Disposable {
  readonly worktree: string;
  readonly outside: string;
  task(changes?: Partial<Task>): Task;
}

export function openWorkshop(files: Readonly<Record<string, string>> = { 'pack.js': PACK }): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'clade-agent-'));
  const worktree = join(folder, 'worktree');
  const scratch = join(folder, 'scratch');
  mkdirSync(worktree);
  mkdirSync(scratch);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(worktree, path)), { recursive: true });
    writeFileSync(join(worktree, path), text);
  }
  const git = (...argv: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid', ...argv], { cwd: worktree });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'root');
  return {
    worktree,
    outside: folder,
    task: (changes = {}) => ({
      brief: { sections: [{ name: 'goal', title: 'Goal', text: 'Pack tighter.' }] },
      worktree,
      role: 'coder',
      round: 0,
      rng: rngOf(1),
      inspirations: async () => [],
      editable: () => true,
      files: async () => Object.keys(files),
      sandbox: 'prefer',
      models: null,
      ordinal: 1,
      scratch,
      ...changes,
    }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function rngOf(seed: number) {
  return generatorFor({ seed, island: 0, ordinal: 1, purpose: 'test' });
}

export async function collect(agent: Agent, task: Task, signal = new AbortController().signal): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.propose(task, signal)) events.push(event);
  return events;
}

/** Pids whose argument list names `text`. Processes in other namespaces of this machine are seen too. */
export function processesNaming(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== `${process.pid}`)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false; // It ended while we looked.
      }
    });
}
