import { type Logger, pino } from 'pino';
import { redactor } from '../../process/index.ts';
import { listenToChildren } from './children.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Writes lines; what it is a child with is part of each. */
export interface Log {
  debug(fields: Fields, text: string): void;
  info(fields: Fields, text: string): void;
  warn(fields: Fields, text: string): void;
  /** An error among the fields goes by the name `err`, and keeps its stack and its cause. */
  error(fields: Fields, text: string): void;
  child(fields: Fields): Log;
  /** What is asked for at most. */
  readonly level: Level;
}

/** From the most to the least. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

/** Names of variables whose values are secrets, whoever reads them. */
const SECRET = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DATABASE_URL)$/i;

/**
 * A logger of JSON lines. Secrets of the environment are redacted, by the names that they usually have.
 * @param write takes whole lines
 * @param fields part of each line
 */
export function createLog(
  level: Level,
  write: (line: string) => void,
  fields: Fields = {},
  environment = process.env,
): Log {
  const redact = redactor(secretsOf(environment));
  const stream = { write: (line: string) => write(redact(line)) };
  const logger = pino({ level, base: fields, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  if (level === 'debug') listenToChildren();
  return ofPino(logger, level);
}

function secretsOf(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    SECRET.test(name) && value !== undefined ? [value] : [],
  );
}

function ofPino(logger: Logger, level: Level): Log {
  return {
    level,
    debug: (fields, text) => logger.debug(fields, text),
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    error: (fields, text) => logger.error(fields, text),
    child: (fields) => ofPino(logger.child(fields), level),
  };
}

/** Says nothing. */
export const silent: Log = {
  level: 'error',
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
};
