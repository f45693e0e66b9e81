import { startCluster } from './postgres.ts';

/**
 * Once a run, before the workers: a PostgreSQL server for all of them, unless the environment names one. The workers inherit
 * `CLADE_TEST_DATABASE_URL`; without it the tests that need a server say that they are skipped.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.CLADE_TEST_DATABASE_URL !== undefined) return undefined;
  const cluster = await startCluster();
  if (cluster === undefined) {
    process.stderr.write('no PostgreSQL server on this machine: the tests that need one are skipped\n');
    return undefined;
  }
  process.env.CLADE_TEST_DATABASE_URL = cluster.url;
  return async () => {
    Reflect.deleteProperty(process.env, 'CLADE_TEST_DATABASE_URL');
    await cluster.stop();
  };
}
