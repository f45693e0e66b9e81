import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, appendFile, chown, constants, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const exec = promisify(execFile);
const START_TIMEOUT_MS = 60_000;

/** A throwaway PostgreSQL server on loopback. */
export interface Cluster {
  readonly url: string;
  /** Stops answering; what it holds stays for `resume`. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs as this user: PostgreSQL refuses to be root. */
interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Makes and starts a cluster in a temporary folder, which answers on an address of this machine. Undefined when this machine has no
 * PostgreSQL server.
 */
export async function startCluster(address = '127.0.0.1'): Promise<Cluster | undefined> {
  const binaries = await findBinaries();
  if (binaries === undefined) return undefined;
  const identity = await unprivileged();
  const home = await mkdtemp(join(tmpdir(), 'clade-pg-'));
  if (identity.uid !== undefined && identity.gid !== undefined) await chown(home, identity.uid, identity.gid);
  const child = { ...identity, cwd: home, env: { PATH: '/usr/bin:/bin', HOME: home, LC_ALL: 'C' } };
  const discard = () => rm(home, { recursive: true, force: true });
  try {
    const data = join(home, 'data');
    const setup = ['-U', 'clade', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
    await exec(join(binaries, 'initdb'), ['-D', data, ...setup], child);
    await appendFile(join(data, 'pg_hba.conf'), `host all all ${address}/24 trust\n`);
    const port = await freePort(address);
    const url = `postgres://clade@${address}:${port}/postgres`;
    const argv = ['-D', data, ...settings(address, port, home)];
    const serve = () => launch(join(binaries, 'postgres'), argv, child, url);
    let server = await serve();
    return {
      url,
      halt: () => end(server),
      async resume() {
        server = await serve();
      },
      async stop() {
        await end(server);
        await discard();
      },
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Nothing here outlives the run, so nothing has to reach the disk. */
function settings(address: string, port: number, home: string): string[] {
  return [
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    `listen_addresses=${address}`,
    `port=${port}`,
    `unix_socket_directories=${home}`,
    'shared_buffers=32MB',
  ].flatMap((setting) => ['-c', setting]);
}

/** Starts the server and waits until it answers; one that does not is ended, and the error holds what it said. */
async function launch(command: string, args: string[], options: SpawnOptions, url: string): Promise<ChildProcess> {
  const server = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const log: string[] = [];
  server.stderr?.setEncoding('utf8').on('data', (text: string) => log.push(text));
  try {
    await ready(url, server);
    return server;
  } catch (error) {
    await end(server);
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error });
  }
}

/** The folder of the newest installed server: Debian keeps one a version, outside PATH. */
async function findBinaries(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  const debian = versions
    .map(Number)
    .sort((a, b) => b - a)
    .map((version) => `/usr/lib/postgresql/${version}/bin`);
  for (const folder of [...debian, ...(process.env.PATH ?? '').split(':')]) {
    if ((await executable(join(folder, 'initdb'))) && (await executable(join(folder, 'postgres')))) return folder;
  }
  return undefined;
}

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Root becomes `postgres`, or `nobody` where there is no such user; anybody else stays. */
async function unprivileged(): Promise<Identity> {
  if (process.getuid?.() !== 0) return {};
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined) throw new Error('PostgreSQL must not run as root, and there is no other user');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** A port of an address of this machine that nobody listens on. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer().once('error', reject);
  server.listen(0, address, () => {
    const address = server.address();
    server.close(() => {
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('no port'));
    });
  });
  return promise;
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** SIGINT is PostgreSQL's fast shutdown; SIGKILL when it does not obey. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  server.kill('SIGINT');
  const timer = setTimeout(() => server.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(timer);
}

/** A new empty database on a server; returns its URL. */
export async function createDatabase(server: string): Promise<string> {
  const name = `clade_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name} template template0`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
