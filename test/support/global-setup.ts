import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from './postgres.ts';

/**
 * Once a run, before the workers, which inherit both variables: `CLADE_TEST_RUN`, a folder for what the whole run shares, and
 * `CLADE_TEST_DATABASE_URL`, a PostgreSQL server, unless the environment names one. Without a server the tests that need one say that
 * they are skipped.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-test-'));
  process.env.CLADE_TEST_RUN = folder;
  const cluster = process.env.CLADE_TEST_DATABASE_URL === undefined ? await tryCluster() : undefined;
  if (cluster !== undefined) process.env.CLADE_TEST_DATABASE_URL = cluster.url;
  return async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** A server that does not start is one that is not there, said aloud: the other tests are run all the same. */
async function tryCluster(): Promise<Cluster | undefined> {
  try {
    return await startCluster();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}
