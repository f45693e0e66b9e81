/** Starts a throwaway PostgreSQL server and prints what to export; it ends, and everything in it, with Ctrl-C. */
import { once } from 'node:events';
import { startCluster } from '../test/support/postgres.ts';

const cluster = await startCluster();
if (cluster === undefined) {
  process.stderr.write('there is no PostgreSQL server on this machine; on Debian: apt-get install postgresql\n');
  process.exitCode = 1;
} else {
  process.stdout.write(`export CLADE_DATABASE_URL=${cluster.url}\n`);
  // A promise alone keeps no process alive.
  const alive = setInterval(() => {}, 60_000);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  clearInterval(alive);
  await cluster.stop();
}
