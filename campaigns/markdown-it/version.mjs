import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * One version of markdown-it in a process of its own, which can read its code and write nothing.
 */

const WORKER = join(import.meta.dirname, 'worker.mjs');
/** Some hundred times what the root needs. */
const REPLY_MS = 20_000;
/** After this a process that has replied is asleep, and the kernel's account of its time is up to date. */
const SETTLE_MS = 2;

/** The version under test failed: it could not be loaded, threw, died or did not answer. */
export class VersionError extends Error {
  /** @param {'build' | 'test' | 'benchmark'} kind @param {string} message */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

export class Version {
  #child;
  #stderr = '';

  /** @param {import('node:child_process').ChildProcess} child */
  constructor(child) {
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-1500);
    });
  }

  /**
   * @param {string} directory a checkout with its node_modules
   * @param {readonly string[]} sources of the corpus
   * @returns {Promise<Version>}
   * @throws {VersionError} when it cannot be loaded
   */
  static async start(directory, sources) {
    const readable = [import.meta.dirname, directory, join(directory, 'node_modules')].map((path) =>
      realpathSync(path),
    );
    const execArgv = [
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      '--no-warnings',
      '--single-threaded',
      '--hash-seed=20260821',
      '--random-seed=20260821',
      '--predictable-gc-schedule',
      '--expose-gc',
      '--max-semi-space-size=64',
      '--max-old-space-size=512',
    ];
    const child = fork(WORKER, [realpathSync(directory)], {
      execArgv,
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const version = new Version(child);
    try {
      await version.#reply('build');
      await version.ask('settings', { sources });
    } catch (error) {
      version.stop();
      throw error;
    }
    return version;
  }

  /** @returns {Promise<object>} the worker's reply @throws {VersionError} */
  async ask(job, request = {}) {
    this.#child.send({ job, ...request }, () => {}); // A process that is gone shows in the reply.
    return await this.#reply('test');
  }

  /**
   * The processor time of one job, by the kernel's account where there is one, else by the clock. Either way it is read
   * here, out of reach of the version under test.
   *
   * @returns {Promise<{nanoseconds: number, reply: object}>}
   */
  async time(job) {
    const before = this.#clock();
    const started = process.hrtime.bigint();
    const reply = await this.ask(job);
    const elapsed = process.hrtime.bigint() - started;
    if (before === null) return { nanoseconds: Number(elapsed), reply };
    await setTimeout(SETTLE_MS);
    return { nanoseconds: this.#clock() - before, reply };
  }

  stop() {
    this.#child.kill('SIGKILL');
  }

  #clock() {
    try {
      return Number(readFileSync(`/proc/${this.#child.pid}/schedstat`, 'utf8').split(' ')[0]);
    } catch (error) {
      if (error.code === 'ENOENT' || error.code === 'EACCES') return null;
      throw error;
    }
  }

  async #reply(kind) {
    const waiting = new AbortController();
    const signal = waiting.signal;
    try {
      const reply = await Promise.race([
        once(this.#child, 'message', { signal }).then(([message]) => message),
        once(this.#child, 'exit', { signal }).then(([code, end]) => ({
          error: `it ended with ${end ?? code}: ${this.#stderr.trim()}`,
        })),
        setTimeout(REPLY_MS, null, { signal }),
      ]);
      if (reply === null) throw new VersionError('benchmark', `no answer within ${REPLY_MS} ms`);
      if (typeof reply !== 'object') throw new VersionError(kind, 'the answer is not an object');
      if (reply.error !== undefined) throw new VersionError(kind, String(reply.error));
      return reply;
    } finally {
      waiting.abort();
    }
  }
}
