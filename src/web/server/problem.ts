import type { Context } from 'hono';
import { z } from 'zod';
import { CladeError, type ErrorCode } from '../../errors.ts';

/** How the API says that something went wrong. */
export interface Problem {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
}

const STATUS: Readonly<Record<ErrorCode, 400 | 404 | 409 | 500 | 503>> = {
  usage: 400,
  configuration: 400,
  scope: 400,
  not_found: 404,
  conflict: 409,
  git: 500,
  infrastructure: 503,
  interrupted: 503,
};

export function problem(code: ErrorCode, message: string, hint?: string): Problem {
  return { error: { code, message, ...(hint === undefined ? {} : { hint }) } };
}

/** What was thrown while a request was answered, as an answer; `onBug` hears of what nobody foresaw. */
export function answerError(error: Error, context: Context, onBug: (error: Error) => void): Response {
  if (error instanceof CladeError) {
    return context.json(problem(error.code, error.message, error.hint), STATUS[error.code]);
  }
  if (error instanceof z.ZodError) return context.json(problem('usage', z.prettifyError(error)), 400);
  onBug(error);
  return context.json(problem('infrastructure', error.message), 500);
}
