import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcpConfig } from '../../config/index.ts';
import { ConfigurationError, InfrastructureError } from '../../errors.ts';
import { run } from '../../process/index.ts';
import type { AgentEvent } from '../event.ts';
import { resolveCommand } from '../process/argv.ts';
import { type Call, prepare } from '../process/prepare.ts';
import { modelsOf, modelUrl } from '../process/reach.ts';
import type { Agent, Task } from '../task.ts';
import { createJournal } from './journal.ts';
import { ACP_PRESETS } from './presets.ts';
import { talk } from './talk.ts';
import { createTools } from './tools.ts';
import { verdict } from './verdict.ts';
import { createWire } from './wire.ts';

/** After its last answer, for an agent to end by itself, whose stdin is at its end. */
const EXIT_MS = 500;
/** Between TERM and KILL. */
const GRACE_MS = 2_000;
/** Above the deadline, which this agent keeps itself: a guard against a fault of ours. */
const SPARE_MS = 60_000;
const STDERR_CHARACTERS = 4_000;

/**
 * Any agent that speaks the Agent Client Protocol: one process, one session and one prompt a proposal. It edits the worktree itself,
 * in its sandbox, and is offered neither files nor a terminal of ours; the difference that it leaves is what counts. `directory` is the campaign's.
 */
export function createAcpAgent(config: AcpConfig, directory: string): Agent {
  const { provider, model, env, network, timeoutMs } = config;
  const preset = config.preset === null ? null : ACP_PRESETS[config.preset];
  const [executable = preset?.executable, ...options] = resolveCommand(config.command, directory);
  if (executable === undefined) throw new ConfigurationError('an agent of kind acp needs a preset or a command');
  const name = config.preset ?? basename(executable);
  const command = [executable, ...options] as const;

  function call(task: Task): Call {
    if (preset !== null) return preset.call(model, modelUrl(modelsOf(task, name), provider));
    const url = task.models === null ? {} : { CLADE_MODEL_URL: modelUrl(task.models, provider) };
    return { argv: [], env: { ...url, ...(model === null ? {} : { CLADE_MODEL: model }) } };
  }

  async function* propose(task: Task, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    signal.throwIfAborted();
    const { models, worktree } = task;
    const called = call(task);
    const prepared = await prepare({ name, command, env, network, models, call: () => called }, task);
    const { redact, prompt } = prepared;
    const tools = createTools();
    const journal = createJournal(worktree, tools, redact);
    const wire = createWire(journal.read);
    const stopping = new AbortController();
    const running = run({
      ...prepared.run,
      timeoutMs: timeoutMs + SPARE_MS,
      graceMs: GRACE_MS,
      signal: stopping.signal,
      onStdin: wire.give,
      onStdout: wire.take,
    }).finally(wire.close);
    const talking = talk(
      {
        ...{ wire, prompt, tools, cwd: worktree, note: journal.note },
        model: preset === null ? model : preset.modelId(model),
        authMethod: preset?.authMethod ?? null,
        scope: { worktree, editable: task.editable, role: task.role, network },
      },
      AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    ).then(async (ending) => {
      wire.hangUp();
      if (ending.kind !== 'cancelled') await Promise.race([running, sleep(EXIT_MS)]);
      stopping.abort();
      return ending;
    });
    const [{ end, stderr: printed }, ending] = await Promise.all([running, talking]);
    signal.throwIfAborted();
    if (end.kind === 'spawn-failed') throw new InfrastructureError(`${name} cannot be started: ${end.message}`);
    const stderr = redact(printed.text).trim().slice(-STDERR_CHARACTERS);
    const noise = redact(wire.noise()).trim();
    for (const text of [noise, stderr]) if (text !== '') journal.note(text);
    const { events, last } = journal.close();
    yield* events;
    const complaint = (stderr === '' ? noise : stderr).split('\n').at(-1) ?? '';
    yield verdict({ name, timeoutMs, ending, end, last, complaint });
  }
  return { kind: 'acp', propose };
}
