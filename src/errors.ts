/**
 * Every error that Clade throws on purpose. Callers branch on the class or on `code`, never on message text; whatever
 * else is thrown is a bug. A message says what is wrong, `hint` says what to do about it.
 */

export type ErrorCode =
  | 'usage'
  | 'configuration'
  | 'conflict'
  | 'not_found'
  | 'infrastructure'
  | 'interrupted'
  | 'git'
  | 'scope';

export interface ErrorDetails {
  readonly cause?: unknown;
  readonly hint?: string;
}

export class CladeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = details.hint;
  }
}

/** The command line was wrong: exit code 2. */
export class UsageError extends CladeError {
  constructor(message: string, details?: ErrorDetails) {
    super('usage', message, details);
  }
}

/** A campaign file or an environment variable was wrong: exit code 2. */
export class ConfigurationError extends CladeError {
  constructor(message: string, details?: ErrorDetails) {
    super('configuration', message, details);
  }
}

/** Somebody else holds what we need, or the stored state does not allow the operation. */
export class ConflictError extends CladeError {
  constructor(message: string, details?: ErrorDetails) {
    super('conflict', message, details);
  }
}

export class NotFoundError extends CladeError {
  constructor(message: string, details?: ErrorDetails) {
    super('not_found', message, details);
  }
}

/** The machine, the database or a provider failed; the candidate is not to blame and the work is tried again. */
export class InfrastructureError extends CladeError {
  constructor(message: string, details?: ErrorDetails) {
    super('infrastructure', message, details);
  }
}

/** The work was stopped by us: a signal, a shutdown or a lost lease. */
export class InterruptedError extends CladeError {
  constructor(message: string, details?: ErrorDetails) {
    super('interrupted', message, details);
  }
}

/** Git refused a command. `stderr` is what it said; its last line, which tends to be the reason, is in the message too. */
export class GitError extends CladeError {
  readonly stderr: string;

  constructor(message: string, stderr: string, details?: ErrorDetails) {
    const reason = stderr.trim().split('\n').at(-1) ?? '';
    super('git', reason === '' ? message : `${message}: ${reason}`, details);
    this.stderr = stderr;
  }
}

/** A proposal touched something outside the edit scope; `paths` names it. The candidate is to blame. */
export class ScopeError extends CladeError {
  readonly paths: readonly string[];

  constructor(message: string, paths: readonly string[], details?: ErrorDetails) {
    super('scope', message, details);
    this.paths = paths;
  }
}
