import { basename } from 'node:path';
import type { RunRequest, RunResult } from '../../process/index.ts';
import type { AgentEvent } from '../event.ts';

const SUMMARY_CHARACTERS = 2_000;

/**
 * The last word on a run that was started and not cancelled. An agent that ended, however it did, has finished: its exit
 * code proves nothing, the difference in the worktree is what counts.
 */
export function ending({ argv, timeoutMs }: RunRequest, result: RunResult): AgentEvent {
  const output = result.stdout.text.trim();
  const summary = output.slice(-SUMMARY_CHARACTERS).toWellFormed();
  const name = basename(argv[0]);
  switch (result.end.kind) {
    case 'timeout':
      return { type: 'failed', kind: 'timeout', detail: `${name} was ended after ${timeoutMs} ms` };
    case 'limit':
      return { type: 'failed', kind: 'crash', detail: `${name} was ended: ${result.end.message}` };
    case 'exit':
      return finished(`${name}: ${lastLine(output) ?? `exit code ${result.end.code}`}`, summary);
    case 'signal':
      return finished(`${name}: ${lastLine(output) ?? `ended by ${result.end.signal}`}`, summary);
    default:
      return { type: 'failed', kind: 'crash', detail: `${name}: ${result.end.kind}` };
  }
}

function finished(title: string, summary: string): AgentEvent {
  return { type: 'finished', title, summary };
}

/** Agents tend to end with what they did in a sentence. JSON is for programs. */
function lastLine(output: string): string | null {
  const line = output.slice(output.lastIndexOf('\n') + 1).trim();
  return line === '' || line.startsWith('{') ? null : line;
}
