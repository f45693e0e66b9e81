import { createLog, LEVELS, type Level, type Log, silent } from '../daemon/index.ts';
import { ConfigurationError } from '../errors.ts';

export interface LogLevelOptions {
  /** `--log-level`; default: `CLADE_LOG_LEVEL`, else what the command has. */
  readonly logLevel?: Level | undefined;
}

/** JSON lines on a stream. A service logs to stdout at `info`; whoever shows progress logs to stderr, and only when it is asked for. */
export function processLog({ logLevel }: LogLevelOptions, kind: 'service' | 'foreground'): Log {
  const level = logLevel ?? fromEnvironment();
  if (kind === 'foreground') return level === null ? silent : createLog(level, (line) => process.stderr.write(line));
  return createLog(level ?? 'info', (line) => process.stdout.write(line), { pid: process.pid });
}

/** @throws ConfigurationError for a level that there is not. */
function fromEnvironment(): Level | null {
  const given = process.env.CLADE_LOG_LEVEL ?? '';
  if (given === '') return null;
  const known = LEVELS.find((level) => level === given);
  if (known !== undefined) return known;
  throw new ConfigurationError(`CLADE_LOG_LEVEL is ${given}`, { hint: `it may be ${LEVELS.join(', ')}` });
}
