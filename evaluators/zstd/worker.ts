import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { infrastructure, invalid } from 'clade/evaluator';

/** Whose build a worker runs: what a failure means depends on it. */
export type Whose = 'root' | 'candidate';

/** A call that takes longer hangs: whole rounds take a hundredth of it. */
const CALL_MS = 120_000;

export interface Build {
  readonly whose: Whose;
  /** The program made of driver.c. */
  readonly driver: string;
  readonly library: string;
}

/**
 * A process of driver.c with one build of the library. It has a bare environment and does what it is told, one command at a
 * time; between two commands it sleeps, so that what the kernel accounts to it in between is the work of the command.
 */
export class Worker {
  readonly #build: Build;
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #errors = '';
  readonly #ended: Promise<string>;

  constructor(build: Build) {
    this.#build = build;
    const child = spawn(build.driver, [build.library], { env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-2_000);
    });
    // Told by the end of the process, which says more than a pipe that closed.
    child.stdin.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(`cannot start: ${error.message}`));
      child.once('close', (code, signal) =>
        resolve(signal === null ? `ended with exit code ${code}` : `died of ${signal}`),
      );
    });
  }

  get whose(): Whose {
    return this.#build.whose;
  }

  /** Loads the items of a file, to be compressed at a level or, with null, decompressed. */
  async load(level: number | null, file: string): Promise<void> {
    await this.#ask(level === null ? `decompress ${file}` : `compress ${level} ${file}`, 'ready');
  }

  /** Works on what was loaded. @returns the milliseconds that it took of the processor, seen from outside */
  async run(): Promise<number> {
    const before = this.#clock();
    await this.#ask('run', 'done');
    return this.#clock() - before;
  }

  /** Writes what came out of the last run to a file of items. */
  async save(file: string): Promise<void> {
    await this.#ask(`save ${file}`, 'saved');
  }

  /** The largest resident set so far, in KiB. */
  peakKib(): number {
    return this.#status('VmHWM');
  }

  /** The resident set, in KiB. */
  residentKib(): number {
    return this.#status('VmRSS');
  }

  stop(): void {
    this.#child.stdin?.end();
    this.#child.kill('SIGKILL');
  }

  async #ask(command: string, expected: string): Promise<void> {
    this.#child.stdin?.write(`${command}\n`);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CALL_MS);
    const answer = await this.#answers.next();
    clearTimeout(timer);
    if (answer.value === expected) return;
    const what = answer.done ? await this.#ended : `answered ${answer.value}`;
    this.#fail(`${what} at "${command.split(' ').slice(0, 2).join(' ')}"`);
  }

  #fail(what: string): never {
    const { whose } = this.#build;
    if (whose === 'root') infrastructure(`the root's process ${what}: ${this.#errors}`);
    return invalid('gate', `the candidate's process ${what}`, this.#errors);
  }

  /** Milliseconds. Processor time by the kernel's account, which a busy machine hardly moves; without that, a clock of ours. */
  #clock(): number {
    try {
      return Number(this.#read('schedstat').split(' ')[0]) / 1e6;
    } catch {
      // Not a Linux, or one that keeps no such account.
      return Number(process.hrtime.bigint()) / 1e6;
    }
  }

  #status(field: string): number {
    const found = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(this.#read('status'));
    return Number(found?.[1] ?? infrastructure(`/proc does not tell ${field}`));
  }

  #read(name: string): string {
    return readFileSync(`/proc/${this.#child.pid}/${name}`, 'utf8');
  }
}

/** Runs `work` with a worker of its own for each build, in their order; the workers end with it. */
export async function withWorkers<T>(builds: readonly Build[], work: (...workers: Worker[]) => Promise<T>): Promise<T> {
  const workers = builds.map((build) => new Worker(build));
  try {
    return await work(...workers);
  } finally {
    for (const worker of workers) worker.stop();
  }
}

/** The same with one worker. */
export async function withWorker<T>(build: Build, work: (worker: Worker) => Promise<T>): Promise<T> {
  const worker = new Worker(build);
  try {
    return await work(worker);
  } finally {
    worker.stop();
  }
}
