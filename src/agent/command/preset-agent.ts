import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandConfig } from '../../config/index.ts';
import { InfrastructureError } from '../../errors.ts';
import { baseEnvironment, findExecutable, redactor, run } from '../../process/index.ts';
import { renderBrief } from '../brief/brief.ts';
import type { AgentEvent } from '../event.ts';
import { installOf } from '../process/install.ts';
import { promptIn } from '../process/prompt.ts';
import { modelsOf, modelUrl, reaching } from '../process/reach.ts';
import { sandboxFor } from '../sandbox.ts';
import type { Agent, Task } from '../task.ts';
import { resolveCommand } from './argv.ts';
import { lastWord } from './last-word.ts';
import { createLineReader } from './lines.ts';
import { PRESETS } from './presets/index.ts';

const STDERR_CHARACTERS = 4_000;

/**
 * A known coding agent: called without questions, in a HOME of its own, with its model behind the gateway, its output read as events.
 * Whatever it says of itself, the difference that it leaves in the worktree is what counts. `directory` is the campaign's.
 */
export function createPresetAgent(
  config: CommandConfig & { readonly preset: NonNullable<CommandConfig['preset']> },
  directory: string,
): Agent {
  const preset = PRESETS[config.preset];
  const [written = preset.executable, ...options] = resolveCommand(config.command, directory);

  async function* propose(task: Task, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    signal.throwIfAborted();
    const models = modelsOf(task, config.preset);
    const [home, tmp] = [join(task.scratch, 'home'), join(task.scratch, 'tmp')];
    for (const folder of [home, tmp]) await mkdir(folder, { recursive: true });
    const prompts = await promptIn(task.scratch, renderBrief(task.brief));
    const { argv, env } = preset.invoke({
      ...prompts,
      worktree: task.worktree,
      home,
      model: config.model,
      modelUrl: modelUrl(models, config.provider),
    });
    const whole = baseEnvironment({ home, tmp, pass: config.env, extra: env });
    const executable = await findExecutable(written, whole.PATH ?? '', task.worktree);
    if (executable === null) {
      throw new InfrastructureError(`${config.preset} cannot be started: ${written} is not on the PATH`, {
        hint: `install it, or name its executable in command: [/path/to/${preset.executable}]`,
      });
    }
    const command = reaching(models, [executable, ...options, ...argv]);
    const redact = redactor(config.env.flatMap((name) => whole[name] ?? []));
    const events: AgentEvent[] = [];
    const lines = createLineReader((line) => events.push(...preset.read(redact(line))));
    const result = await run({
      argv: command.argv,
      cwd: task.worktree,
      env: whole,
      timeoutMs: config.timeoutMs,
      signal,
      onStdout: lines,
      sandbox: sandboxFor(task, command.argv, config.network, [...command.readOnly, installOf(executable)]),
    });
    signal.throwIfAborted();
    lines();
    if (result.end.kind === 'spawn-failed') {
      throw new InfrastructureError(`${config.preset} cannot be started: ${result.end.message}`);
    }
    for (const event of events) if (event.type !== 'failed') yield event;
    const stderr = redact(result.stderr.text).trim().slice(-STDERR_CHARACTERS);
    if (stderr !== '') yield { type: 'message', text: stderr };
    yield lastWord({ name: config.preset, timeoutMs: config.timeoutMs, end: result.end, events, stderr });
  }
  return { kind: 'command', propose };
}
