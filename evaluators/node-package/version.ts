import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type InvalidKind, infrastructure, invalid } from 'clade/evaluator';
import type { Context } from './benchmark.ts';
import type { Settings } from './settings.ts';
import type { Request, Start } from './worker.ts';

/** In a bundle the types are gone, and the names may end otherwise. */
const WORKER = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);
/** After this a process that has replied is asleep, and the kernel's account of its time is up to date. */
const SETTLE_MS = 2;
/** Equal in all processes: what V8 draws by chance, and when it collects, is then no difference between the versions. */
const V8_FLAGS = [
  '--no-warnings',
  '--single-threaded',
  '--hash-seed=20260821',
  '--random-seed=20260821',
  '--predictable-gc-schedule',
  '--expose-gc',
  '--max-semi-space-size=64',
];

/** Which version, for whom a failure is held against: the candidate's is a refusal, the root's a fault of the machine. */
export interface Where {
  readonly whose: 'root' | 'candidate';
  readonly directory: string;
}

/** One version of the package in a process of its own, which can read its code and write nothing. */
export class Version {
  readonly #child: ChildProcess;
  readonly #where: Where;
  readonly #replyMs: number;
  #stderr = '';

  private constructor(child: ChildProcess, where: Where, replyMs: number) {
    this.#child = child;
    this.#where = where;
    this.#replyMs = replyMs;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-1500);
    });
  }

  /** @throws Refusal `build` when the candidate cannot be loaded; MachineFault when the root cannot */
  static async start(where: Where, settings: Settings, context: Context): Promise<Version> {
    const directory = realpathSync(where.directory);
    const modules = join(directory, 'node_modules');
    const readable = [import.meta.dirname, context.campaignDir, directory, context.modules, modules].filter(existsSync);
    const start: Start = { entry: join(directory, settings.entry), benchmark: settings.benchmark, context };
    const child = fork(WORKER, [JSON.stringify(start)], {
      cwd: directory,
      execArgv: [
        '--permission',
        ...readable.map((path) => `--allow-fs-read=${realpathSync(path)}`),
        ...V8_FLAGS,
        `--max-old-space-size=${settings.heapMiB}`,
        ...(settings.codeFromText ? [] : ['--disallow-code-generation-from-strings']),
      ],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const version = new Version(child, where, settings.replySeconds * 1000);
    try {
      await version.#reply('build');
      return version;
    } catch (error) {
      version.stop();
      throw error;
    }
  }

  /** @returns the worker's reply @throws as `start`, of kind `test` */
  async ask(request: Request): Promise<Readonly<Record<string, unknown>>> {
    this.#child.send(request, () => {}); // A process that is gone shows in the reply.
    return await this.#reply('test');
  }

  /**
   * The processor time of the timed work in nanoseconds, by the kernel's account where there is one, else by the clock. Either way it
   * is read here, out of reach of the version under test.
   */
  async time(): Promise<number> {
    const before = this.#clock();
    const started = process.hrtime.bigint();
    await this.ask({ job: 'run' });
    const elapsed = process.hrtime.bigint() - started;
    if (before === null) return Number(elapsed);
    await setTimeout(SETTLE_MS);
    return (this.#clock() ?? Number.NaN) - before;
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  /** Of the main thread, which with `--single-threaded` is nearly all there is. */
  #clock(): number | null {
    const path = `/proc/${this.#child.pid}/schedstat`;
    return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) : null;
  }

  async #reply(kind: InvalidKind): Promise<Readonly<Record<string, unknown>>> {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      const reply: unknown = await Promise.race([
        once(this.#child, 'message', { signal }).then(([message]) => message),
        once(this.#child, 'exit', { signal }).then(([code, end]) => ({
          error: `it ended with ${end ?? `exit code ${code}`}: ${this.#stderr.trim()}`,
        })),
        setTimeout(this.#replyMs, 'overdue', { signal }),
      ]);
      if (reply === 'overdue') return this.#fail('benchmark', `no answer within ${this.#replyMs} ms`);
      if (typeof reply !== 'object' || reply === null) return this.#fail(kind, 'the answer is not an object');
      const answer: Readonly<Record<string, unknown>> = { ...reply };
      if (answer.error !== undefined) return this.#fail(kind, String(answer.error));
      return answer;
    } finally {
      waiting.abort();
    }
  }

  #fail(kind: InvalidKind, message: string): never {
    if (this.#where.whose === 'root') return infrastructure(`the root in ${this.#where.directory} fails: ${message}`);
    return invalid(kind, message.split('\n')[0] ?? '', message);
  }
}
