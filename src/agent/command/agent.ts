import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentConfig } from '../../config/index.ts';
import { ConfigurationError, InfrastructureError } from '../../errors.ts';
import { baseEnvironment, type RunRequest, redactor, run } from '../../process/index.ts';
import { renderBrief } from '../brief/brief.ts';
import type { AgentEvent } from '../event.ts';
import { resolveCommand } from '../process/argv.ts';
import { sandboxFor } from '../sandbox.ts';
import type { Agent, Task } from '../task.ts';
import { ending } from './ending.ts';
import { deliverPrompt } from './prompt.ts';

type CommandConfig = Extract<AgentConfig, { kind: 'command' }>;

/** Any program that edits the files of its working folder. What it prints is its transcript. `directory` is the campaign's. */
export function createCommandAgent(written: CommandConfig, directory: string): Agent {
  const config = { ...written, command: resolveCommand(written.command, directory) };
  async function* propose(task: Task, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    signal.throwIfAborted();
    const request = await requestFor(config, task, signal);
    const result = await run(request);
    signal.throwIfAborted();
    if (result.end.kind === 'spawn-failed') {
      throw new InfrastructureError(`the agent's command cannot be started: ${result.end.message}`, {
        hint: 'is it installed on this machine, and does agents.coder.command name it right?',
      });
    }
    // An agent may print its key, and what it prints is stored and shown.
    const redact = redactor(config.env.flatMap((name) => request.env[name] ?? []));
    for (const text of [result.stdout.text, result.stderr.text, ...result.notes]) {
      if (text !== '') yield { type: 'message', text: redact(text) };
    }
    const stdout = { ...result.stdout, text: redact(result.stdout.text) };
    const stderr = { ...result.stderr, text: redact(result.stderr.text) };
    yield ending(request, { ...result, stdout, stderr });
  }
  return { kind: 'command', propose };
}

async function requestFor(config: CommandConfig, task: Task, signal: AbortSignal): Promise<RunRequest> {
  const { argv, stdin } = await deliverPrompt(config.command, renderBrief(task.brief), task.scratch);
  const [program, ...rest] = argv;
  if (program === undefined) throw new ConfigurationError('agents.coder.command is empty');
  const home = join(task.scratch, 'home');
  const tmp = join(task.scratch, 'tmp');
  for (const folder of [home, tmp]) await mkdir(folder, { recursive: true });
  return {
    argv: [program, ...rest],
    cwd: task.worktree,
    env: baseEnvironment({ home, tmp, pass: config.env }),
    ...(stdin === undefined ? {} : { stdin }),
    timeoutMs: config.timeoutMs,
    signal,
    sandbox: sandboxFor(task, argv, config.network),
  };
}
