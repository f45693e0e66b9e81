import type { CommandConfig } from '../../config/index.ts';
import { InfrastructureError } from '../../errors.ts';
import { run } from '../../process/index.ts';
import type { AgentEvent } from '../event.ts';
import { resolveCommand } from '../process/argv.ts';
import { prepare } from '../process/prepare.ts';
import { modelsOf, modelUrl } from '../process/reach.ts';
import type { Agent, Task } from '../task.ts';
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
  const { preset: name, provider, model, env, network, timeoutMs } = config;
  const preset = PRESETS[name];
  const [executable = preset.executable, ...options] = resolveCommand(config.command, directory);

  async function* propose(task: Task, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    signal.throwIfAborted();
    const models = modelsOf(task, name);
    const url = modelUrl(models, provider);
    const { run: request, redact } = await prepare(
      {
        ...{ name, command: [executable, ...options], env, network, models },
        call: (place) => preset.invoke({ ...place, model, modelUrl: url }),
      },
      task,
    );
    const events: AgentEvent[] = [];
    const lines = createLineReader((line) => events.push(...preset.read(redact(line))));
    const result = await run({ ...request, timeoutMs, signal, onStdout: lines });
    signal.throwIfAborted();
    lines();
    if (result.end.kind === 'spawn-failed') {
      throw new InfrastructureError(`${name} cannot be started: ${result.end.message}`);
    }
    for (const event of events) if (event.type !== 'failed') yield event;
    const stderr = redact(result.stderr.text).trim().slice(-STDERR_CHARACTERS);
    if (stderr !== '') yield { type: 'message', text: stderr };
    yield lastWord({ name, timeoutMs, end: result.end, events, stderr });
  }
  return { kind: 'command', propose };
}
