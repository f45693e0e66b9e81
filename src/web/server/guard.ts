import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { problem } from './problem.ts';

/** Hosts that a loopback server answers to; any other name is a rebinding attempt. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** Nothing that the API hands out may act when it is opened as a page. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Refuses requests for another host or from another origin; whatever is answered is inert, unless a route says otherwise. */
export const guardOrigin: MiddlewareHandler = async (context, next) => {
  context.header('X-Content-Type-Options', 'nosniff');
  context.header('Content-Security-Policy', INERT);
  const host = context.req.header('host') ?? '';
  const origin = context.req.header('origin');
  if (!LOOPBACK.test(host)) return context.json(problem('usage', 'this server answers on loopback only'), 403);
  if (origin !== undefined && origin !== `http://${host}`) {
    return context.json(problem('usage', 'requests from other origins are refused'), 403);
  }
  return next();
};

/** Reads are open on loopback; what changes something wants the token as `Authorization: Bearer`. */
export function guardWrites(token: string): MiddlewareHandler {
  return async (context, next) => {
    const writes = context.req.method !== 'GET' && context.req.method !== 'HEAD';
    if (writes && !matches(context.req.header('authorization') ?? '', `Bearer ${token}`)) {
      return context.json(problem('usage', 'a change needs the token of this workspace'), 401);
    }
    return next();
  };
}

function matches(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
