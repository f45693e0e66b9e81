import { basename } from 'node:path';
import type { RunEnd, RunRequest, RunResult } from '../../process/index.ts';
import type { AgentEvent } from '../event.ts';

const SUMMARY_CHARACTERS = 2_000;
const DOUBT_CHARACTERS = 500;

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
    case 'signal': {
      const how = howEnded(result.end);
      const title = `${name}: ${lastLine(output) ?? how}`;
      const good = result.end.kind === 'exit' && result.end.code === 0;
      return {
        type: 'finished',
        title,
        summary,
        ...(good ? {} : { doubt: { kind: 'crash', detail: doubtOf(name, how, result) } }),
      };
    }
    default:
      return { type: 'failed', kind: 'crash', detail: `${name}: ${result.end.kind}` };
  }
}

/** How a program came to its end, in words. */
export function howEnded(end: RunEnd): string {
  if (end.kind === 'exit') return `exit code ${end.code}`;
  return end.kind === 'signal' ? `ended by ${end.signal}` : end.kind;
}

/** What it said last tells why: most often that it knows no key, or no such option. */
function doubtOf(name: string, how: string, { stdout, stderr }: RunResult): string {
  const words = [stderr.text.trim(), stdout.text.trim()].find((text) => text !== '') ?? '';
  return `${name}: ${how}${words === '' ? '' : `: ${words.slice(-DOUBT_CHARACTERS).toWellFormed()}`}`;
}

/** Agents tend to end with what they did in a sentence. JSON is for programs. */
function lastLine(output: string): string | null {
  const line = output.slice(output.lastIndexOf('\n') + 1).trim();
  return line === '' || line.startsWith('{') ? null : line;
}
