/**
 * Imported before `clade run` (`node --import`): counts what is asked of the database and which children are started, and writes both as
 * JSON to the file in CLADE_BENCH_COUNTS when the process ends.
 */
import childProcess from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

const counts = { statements: 0, children: 0 };
/** First bytes of messages that have a statement run: Bind and Query. */
const RUNS = new Set(['B', 'Q'].map((letter) => letter.charCodeAt(0)));

const { execProtocolRawSync } = PGlite.prototype;
PGlite.prototype.execProtocolRawSync = function (message) {
  if (RUNS.has(message[0] ?? 0)) counts.statements += 1;
  return execProtocolRawSync.call(this, message);
};

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...asked: unknown[]) {
  counts.statements += 1;
  return Reflect.apply(query, this, asked);
} as typeof query;

/** Only the launcher is forked; each order to start has it start a child. */
const { fork } = childProcess;
childProcess.fork = ((...given: Parameters<typeof fork>) => {
  const launcher = fork(...given);
  const { send } = launcher;
  launcher.send = ((order: { readonly kind?: string }, ...rest: unknown[]) => {
    if (order.kind === 'start') counts.children += 1;
    return Reflect.apply(send, launcher, [order, ...rest]);
  }) as typeof send;
  return launcher;
}) as typeof fork;
syncBuiltinESMExports();

const file = process.env.CLADE_BENCH_COUNTS;
if (file !== undefined) process.on('exit', () => writeFileSync(file, JSON.stringify(counts)));
