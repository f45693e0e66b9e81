import { createServer } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { CladeError } from '../../errors.ts';
import { type Finding, workspaceFolders } from '../../pipeline/index.ts';
import { openStore, type Tables } from '../../store/index.ts';
import { findAddress, httpApi } from '../../web/index.ts';
import { databaseUrl } from '../context.ts';
import { writable } from './machine.ts';

/** Clocks that are further apart make times in the ledger misleading; nothing is decided by them. */
const MOST_SKEW_MS = 5_000;

/** Looks at what Clade talks to: database, shared hubs, loopback. */
export async function inspectServices(workspace: string): Promise<Finding[]> {
  return [...(await database(workspace)), ...(await hubs(process.env.CLADE_HUB_URL?.trim() ?? '')), await loopback()];
}

async function database(workspace: string): Promise<Finding[]> {
  try {
    const address = await findAddress(workspaceFolders(workspace).address);
    if (address !== null) {
      const campaigns = await httpApi(address).campaigns();
      const text = `the process at ${address.url} answers: ${campaigns.length} campaigns`;
      return [{ subject: 'database', verdict: 'fine', text }];
    }
    const store = await openStore({ workspace, label: 'clade doctor', ...databaseUrl() });
    try {
      return await answers(store.db, store.kind);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof CladeError)) throw error;
    const text = error.hint === undefined ? error.message : `${error.message}; ${error.hint}`;
    return [{ subject: 'database', verdict: 'problem', text }];
  }
}

async function answers(db: Kysely<Tables>, kind: string): Promise<Finding[]> {
  const asked = Date.now();
  const { rows } = await sql<{ version: string; at: Date; schema: string }>`
    select current_setting('server_version') as version, clock_timestamp() as at,
      (select max(name) from migrations) as schema`.execute(db);
  const [row] = rows;
  if (row === undefined) return [{ subject: 'database', verdict: 'problem', text: 'it gave no answer' }];
  const text = `${kind} ${row.version}, schema ${row.schema} is up to date`;
  return [{ subject: 'database', verdict: 'fine', text }, clockFinding(row.at.getTime() - (asked + Date.now()) / 2)];
}

/** @param skewMs how far the clock of the database is ahead of ours */
export function clockFinding(skewMs: number): Finding {
  const text = `the clock of the database is ${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'} this one`;
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return { subject: 'clock', verdict: 'fine', text };
  return { subject: 'clock', verdict: 'warning', text: `${text}; keep both by NTP` };
}

async function hubs(url: string): Promise<Finding[]> {
  if (url === '') return [];
  if (url.startsWith('/')) return [await writable('hubs', url, 'mount the folder of CLADE_HUB_URL here')];
  // A hub by ssh or https is one repository a campaign; whether it answers is seen when the campaign is opened.
  return [{ subject: 'hubs', verdict: 'fine', text: `${redacted(url)}: tried when a campaign is opened` }];
}

/** A URL without its password. */
function redacted(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.password === '') return url;
  parsed.password = '…';
  return parsed.href;
}

async function loopback(): Promise<Finding> {
  const server = createServer();
  const failed = await new Promise<Error | null>((resolve) => {
    server.once('error', resolve);
    server.listen(0, '127.0.0.1', () => resolve(null));
  });
  if (failed !== null) {
    const text = `nothing can listen on 127.0.0.1: ${failed.message}; the dashboard and model calls need it`;
    return { subject: 'port', verdict: 'problem', text };
  }
  await new Promise((resolve) => server.close(resolve));
  return { subject: 'port', verdict: 'fine', text: '127.0.0.1 can be listened on' };
}
