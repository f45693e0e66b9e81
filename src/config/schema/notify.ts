import * as z from 'zod';
import { duration, environmentName, line } from './values.ts';

/** RFC 9110: a token. */
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** What the message itself decides. */
const OURS = /^(host|connection|content-.*|transfer-encoding)$/i;

function holdsNoPassword(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}

const places = ['url', 'url_env', 'command'] as const;

const entrySchema = z
  .strictObject({
    on: z
      .array(z.enum(['best', 'paused', 'finished', 'fault']))
      .min(1)
      .default(['best', 'paused', 'finished'])
      .describe('What is told: another best, a pause, the end, a fault of the machine.'),
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .refine(holdsNoPassword, {
        error: 'must not hold a password: the file is stored; use url_env or headers_env',
      })
      .optional()
      .describe('Gets a POST of JSON. This, url_env or command.'),
    url_env: environmentName
      .optional()
      .describe('Name of the variable that holds the URL, where that is a secret itself.'),
    headers_env: z
      .record(z.string(), environmentName)
      .refine((headers) => Object.keys(headers).every((name) => HEADER.test(name) && !OURS.test(name)), {
        error: 'must have names of headers that Clade does not set itself',
      })
      .default({})
      .describe('Headers by name; each the name of the variable that holds its value.'),
    command: z
      .array(line)
      .min(1)
      .optional()
      .describe('Executable and arguments; gets the JSON on stdin. ./x is a file of the campaign folder.'),
    env: z.array(environmentName).default([]).describe('Names of environment variables passed to the command.'),
    timeout: duration.default('10s').describe('After this a delivery has failed; it is tried again.'),
  })
  .refine((entry) => places.filter((place) => entry[place] !== undefined).length === 1, {
    error: 'must have one of url, url_env and command',
  })
  .refine(({ command, headers_env }) => command === undefined || Object.keys(headers_env).length === 0, {
    path: ['headers_env'],
    error: 'is for a URL: a command gets variables by env',
  })
  .refine(({ command, env }) => command !== undefined || env.length === 0, {
    path: ['env'],
    error: 'is for a command: a URL gets headers by headers_env',
  });

export const notifySchema = z.array(entrySchema).max(32).default([]).describe('Who is told what happens. Live.');
