import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { campaignFolders } from '../../pipeline/index.ts';
import { within } from './children.ts';
import { createLog, type Fields, type Level, type Log } from './log.ts';
import { jobSpan } from './span.ts';

/** A part of a job that this process does. */
export interface JobPart {
  readonly ordinal: number;
  readonly stage: 'generate' | 'evaluate' | 'trial';
  readonly attempt: number;
  /** Generation comes back for another round. */
  readonly round?: number;
  readonly split?: string;
}

/** Where the jobs of one campaign are logged on this machine. */
export interface JobLogs {
  readonly campaign: string;
  /** Of the process, with the campaign in it. */
  readonly log: Log;
  /** The log of one job: of the process and of the job's own file. */
  of(ordinal: number): Log;
}

/** A job's file takes no more than this; a job that is done again and again must not fill the disk. */
const MOST_BYTES = 1024 * 1024;

/** The file with what was done for a job on this machine; there when something was. */
export function jobLogFile(workspace: string, campaign: string, ordinal: number): string {
  return join(campaignFolders(workspace, campaign).logs, `${ordinal}.ndjson`);
}

/** @param parent the log of the process */
export function jobLogs(parent: Log, workspace: string, campaign: string): JobLogs {
  const log = parent.child({ campaign });
  return {
    campaign,
    log,
    of(ordinal) {
      const file = jobLogFile(workspace, campaign, ordinal);
      const level = parent.level === 'debug' ? 'debug' : 'info';
      return both(
        log.child({ job: ordinal }),
        createLog(level, (line) => append(file, line)),
      );
    },
  };
}

/** Does a part of a job: with its log, inside a span, and with what its children do told at `debug`. */
export function inJob<T>(logs: JobLogs, part: JobPart, work: (log: Log) => Promise<T>): Promise<T> {
  const { ordinal, ...fields } = part;
  const log = logs.of(ordinal).child(fields);
  return jobSpan(logs.campaign, part, () => within(log, () => work(log)));
}

/** Says of a job what is not done by this process alone: its settlement. */
export function toldOf(logs: JobLogs, ordinal: number, fields: Fields, text: string): void {
  logs.of(ordinal).info(fields, text);
}

/** What one machine has of a job's log; plain JSON. */
export interface JobLogView {
  readonly host: string;
  /** Absolute, on that host. */
  readonly file: string;
  /** JSON lines; null when nothing of the job was done there. */
  readonly text: string | null;
}

/** The file of a job on this machine. */
export async function readJobLog(workspace: string, campaign: string, ordinal: number): Promise<JobLogView> {
  const file = jobLogFile(workspace, campaign, ordinal);
  const text = await readFile(file, 'utf8').catch((error: Error & { readonly code?: string }) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return { host: hostname(), file, text };
}

/** Written at once: the process may be killed at any moment, and of a job there are few lines. */
function append(file: string, line: string): void {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) mkdirSync(dirname(file), { recursive: true });
    if ((size ?? 0) + line.length <= MOST_BYTES) appendFileSync(file, line);
  } catch {
    // A full disk is told elsewhere; a log that cannot be written must not end a job.
  }
}

function both(one: Log, other: Log): Log {
  const tell =
    (level: Level) =>
    (fields: Fields, text: string): void => {
      one[level](fields, text);
      other[level](fields, text);
    };
  return {
    level: one.level,
    debug: tell('debug'),
    info: tell('info'),
    warn: tell('warn'),
    error: tell('error'),
    child: (fields) => both(one.child(fields), other.child(fields)),
  };
}
