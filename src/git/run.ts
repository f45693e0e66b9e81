import { execa } from 'execa';
import { simpleGit } from 'simple-git';
import { GitError } from '../errors.ts';
import { gitEnvironment } from './environment.ts';

/**
 * Where a command works. `gitDir` is always said, so that Git discovers nothing: a worktree's own `.git` may have been
 * replaced by an agent, and its configuration could start programs.
 */
export interface Site {
  readonly gitDir: string;
  readonly workTree?: string;
  /** Index file, absolute. */
  readonly index?: string;
  /** Default: `gitDir`. */
  readonly home?: string;
  /** Default: `workTree`, else `gitDir`. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Said on every command line as well as in the hub's configuration, which an agent without a sandbox could rewrite. */
const SAFE = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.attributesFile=/dev/null'];

const fullArgv = (site: Site, argv: readonly string[]): string[] => [
  `--git-dir=${site.gitDir}`,
  ...(site.workTree === undefined ? [] : [`--work-tree=${site.workTree}`]),
  ...SAFE.flatMap((setting) => ['-c', setting]),
  ...argv,
];

const fullEnv = (site: Site): Record<string, string> =>
  gitEnvironment(site.home ?? site.gitDir, {
    ...(site.index === undefined ? {} : { GIT_INDEX_FILE: site.index }),
    ...site.env,
  });

const cwdOf = (site: Site): string => site.cwd ?? site.workTree ?? site.gitDir;

const failure = (argv: readonly string[], end: string, stderr: string, cause?: unknown): GitError =>
  new GitError(`git ${argv[0] ?? ''} failed (${end})`, stderr, cause === undefined ? {} : { cause });

/**
 * Runs a command that answers with text, through simple-git. Only for commands that always print something: after a
 * silent one simple-git waits 50 ms more, ten times what the process costs; those go through `act`.
 * @throws GitError on any exit code but 0.
 */
export async function ask(site: Site, argv: readonly string[]): Promise<string> {
  const env = fullEnv(site);
  const client = simpleGit(cwdOf(site), {
    allowEnvironment: Object.keys(env).filter((name) => name.startsWith('GIT_')),
    // The guards are against arguments that come from users; ours are the three settings above and our own folders.
    unsafe: { allowUnsafeConfigPaths: true, allowUnsafeHooksPath: true, allowUnsafeFsMonitor: true },
    completion: { onClose: true, onExit: false },
    errors: (error, { exitCode, stdErr }) =>
      error === undefined && exitCode === 0
        ? undefined
        : failure(argv, `exit ${exitCode}`, Buffer.concat(stdErr).toString(), error),
  });
  try {
    return await client.env(env).raw(fullArgv(site, argv));
  } catch (error) {
    if (error instanceof GitError) throw error;
    throw failure(argv, 'not run', '', error);
  }
}

export interface Answer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Runs a command for its effect or its bytes, through execa.
 * @throws GitError on an exit code that is not in `accept` (default: 0 alone).
 */
export async function act(
  site: Site,
  argv: readonly string[],
  options: { stdin?: string | Uint8Array; accept?: readonly number[] } = {},
): Promise<Answer> {
  const result = await execa('git', fullArgv(site, argv), {
    cwd: cwdOf(site),
    env: fullEnv(site),
    extendEnv: false,
    encoding: 'buffer',
    maxBuffer: 2 ** 30,
    stripFinalNewline: false,
    reject: false,
    ...(options.stdin === undefined ? { stdin: 'ignore' } : { input: options.stdin }),
  });
  const stderr = Buffer.from(result.stderr).toString();
  const { exitCode } = result;
  if (exitCode === undefined || !(options.accept ?? [0]).includes(exitCode)) {
    throw failure(argv, exitCode === undefined ? (result.signal ?? 'not run') : `exit ${exitCode}`, stderr, result);
  }
  return { code: exitCode, stdout: Buffer.from(result.stdout), stderr };
}

/**
 * Streams the standard output of a command while lines are fed to its standard input; memory is bounded by the pipes.
 * A consumer that stops early ends the process.
 */
export async function* stream(site: Site, argv: readonly string[], lines?: Generator<string>): AsyncGenerator<Buffer> {
  const child = execa('git', fullArgv(site, argv), {
    cwd: cwdOf(site),
    env: fullEnv(site),
    extendEnv: false,
    buffer: { stdout: false, stderr: true },
    maxBuffer: 2 ** 16,
    reject: false,
    stdin: lines ?? 'ignore',
    encoding: 'buffer',
  });
  let whole = false;
  let result: Awaited<typeof child>;
  try {
    for await (const chunk of child.stdout) yield Buffer.from(chunk);
    whole = true;
  } finally {
    if (!whole) child.kill('SIGKILL');
    result = await child;
  }
  if (result.exitCode !== 0) {
    throw failure(argv, `exit ${result.exitCode}`, Buffer.from(result.stderr).toString(), result);
  }
}
