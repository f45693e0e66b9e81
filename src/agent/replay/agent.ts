import type { AgentConfig } from '../../config/index.ts';
import type { AgentEvent, FailureKind } from '../event.ts';
import type { Agent, Task } from '../task.ts';
import type { RecordedProposal } from './format.ts';
import { place } from './place.ts';
import { openRecording, type Recording } from './recording.ts';

/**
 * The recorded proposals of another campaign, job by job and round by round, without any provider. Where the base of a job is
 * what it was, so is its commit; where it is another one, a proposal whose changes do not fit it fails with the file that does not.
 * @throws ConfigurationError when the recording cannot be used.
 */
export function createReplayAgent(config: Extract<AgentConfig, { kind: 'replay' }>, rootTree: string | null): Agent {
  const recording = openRecording(config.from, rootTree);

  async function* propose(task: Task, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    signal.throwIfAborted();
    const recorded = recording.find(task.ordinal, task.round);
    if (recorded === undefined) {
      yield { type: 'failed', kind: 'nothing', detail: missing(recording, task) };
      return;
    }
    if (recorded.transcript !== '') yield { type: 'message', text: recorded.transcript };
    yield await outcomeOf(recorded, task, { signal, timeoutMs: config.timeoutMs });
  }

  return { kind: 'replay', propose };
}

function missing({ head, last }: Recording, { ordinal, round }: Task): string {
  const which = round === 0 ? `job ${ordinal}` : `round ${round} of job ${ordinal}`;
  return `the recording of "${head.campaign}", which ends at job ${last}, has no proposal for ${which}`;
}

async function outcomeOf(
  { outcome, files, title, summary }: RecordedProposal,
  { worktree }: Task,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<AgentEvent> {
  if (outcome.kind === 'nothing') return { type: 'failed', kind: 'nothing', detail: outcome.detail };
  if (outcome.kind === 'failed') return { type: 'failed', kind: kindOf(outcome.failure), detail: outcome.detail };
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const misfit = await place(worktree, files, AbortSignal.any([signal, deadline]));
    if (misfit === null) return { type: 'finished', title, summary };
    const detail = `the recorded change does not fit this base: ${misfit.path}: ${misfit.reason}`;
    return { type: 'failed', kind: 'refused', detail };
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    return { type: 'failed', kind: 'timeout', detail: `not all of it was in place within ${timeoutMs} ms` };
  }
}

const KINDS: readonly FailureKind[] = ['timeout', 'crash', 'refused', 'nothing'];

/** A failure that was the pipeline's, such as an edit outside the scope, left nothing that could be done again. */
function kindOf(failure: string): FailureKind {
  return KINDS.find((kind) => kind === failure) ?? 'refused';
}
