import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from './postgres.ts';

/**
 * Once a run, before the workers, which inherit both variables: `CLADE_TEST_RUN`, a folder for what the whole run shares, and
 * `CLADE_TEST_DATABASE_URL`, a PostgreSQL server, unless the environment names one. Without a server the tests that need one say that
 * they are skipped.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-test-'));
  process.env.CLADE_TEST_RUN = folder;
  const cluster = process.env.CLADE_TEST_DATABASE_URL === undefined ? await startCluster() : undefined;
  if (cluster !== undefined) process.env.CLADE_TEST_DATABASE_URL = cluster.url;
  return async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
