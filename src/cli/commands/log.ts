import type { EventView } from '../../daemon/index.ts';
import { NotFoundError } from '../../errors.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { eventsOf } from '../follow.ts';
import { print, table } from '../output.ts';

export interface LogOptions extends GlobalOptions {
  readonly limit?: number;
  readonly after?: number;
  /** Goes on with what happens until a signal ends it. */
  readonly follow?: boolean;
  /** Of one job, what was done on this machine. */
  readonly job?: number;
}

/** The events of a campaign after one of them, oldest first. */
export async function log(options: LogOptions, name: string): Promise<number> {
  if (options.job !== undefined) return ofJob(options, name, options.job);
  if (options.follow === true) return follow(options, name);
  return withApi(options, 'log', async (api) => {
    const events = await api.events(name, { after: options.after ?? 0, limit: options.limit ?? 100 });
    print(events, options.json, (page) =>
      table(
        ['id', 'at', 'event', 'job', 'data'],
        page.map(({ id, at, kind, ordinal, data }) => [id, at, kind, ordinal, shown(data)]),
      ),
    );
    return 0;
  });
}

/** One line an event, from `--after` or from now on. A process that goes away, or comes, is waited for. */
async function follow(options: LogOptions, name: string): Promise<number> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    for await (const event of eventsOf(options, { name, after: options.after, signal: stop.signal })) {
      process.stdout.write(`${options.json ? JSON.stringify(event) : line(event)}\n`);
    }
    return 130;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

async function ofJob(options: LogOptions, name: string, ordinal: number): Promise<number> {
  return withApi(options, 'log', async (api) => {
    const { host, file, text } = await api.jobLog(name, ordinal);
    if (text === null) {
      throw new NotFoundError(`nothing of job ${ordinal} was logged on ${host}`, {
        hint: `clade show ${name}:${ordinal} tells what is recorded of it; a worker elsewhere has its log in the same place, ${file}`,
      });
    }
    if (options.json) process.stdout.write(text);
    else for (const one of text.trimEnd().split('\n')) process.stdout.write(`${logged(one)}\n`);
    return 0;
  });
}

/** A line of a log for people: when, in which part of the job, what, and the rest as it is. */
function logged(text: string): string {
  const { time, level, stage, msg, ...rest }: Record<string, unknown> = JSON.parse(text);
  const loud = typeof level === 'number' && level >= 40 ? '! ' : '';
  const shown = Object.entries(rest).flatMap(([name, value]) =>
    value === null || value === undefined
      ? []
      : [`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  return `${time}  ${loud}${stage ?? 'settle'}  ${msg}  ${shown.join(', ')}`;
}

function line({ id, at, kind, ordinal, data }: EventView): string {
  return `${id}  ${at}  ${kind}${ordinal === null ? '' : `  job ${ordinal}`}  ${shown(data)}`;
}

function shown(data: unknown): string {
  return JSON.stringify(data).slice(0, 100);
}
