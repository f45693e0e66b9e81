import { simpleGit } from 'simple-git';
import { GitError, InfrastructureError } from '../errors.ts';
import { type Launched, launch, type Program } from '../process/index.ts';
import { gitEnvironment } from './environment.ts';
import { createHandover, createPile, type Pile } from './output.ts';

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
 * Runs a command that answers with text, through simple-git. Only for what happens once a campaign, and for commands that always
 * print something: simple-git starts them from this large process (see `launch`), and waits 50 ms more after a silent one.
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
 * Runs a command for its effect or its bytes.
 * @throws GitError on an exit code that is not in `accept` (default: 0 alone).
 */
export async function act(
  site: Site,
  argv: readonly string[],
  options: { stdin?: string | Uint8Array; accept?: readonly number[] } = {},
): Promise<Answer> {
  const [stdout, stderr] = [createPile(), createPile()];
  const child = await launch(program(site, argv, options.stdin), [stdout.add, stderr.add]);
  const code = await codeOf(child, argv, stderr, options.accept ?? [0]);
  return { code, stdout: stdout.all(), stderr: stderr.all().toString() };
}

/** The one line that a command answers with. */
export async function line(site: Site, argv: readonly string[]): Promise<string> {
  return (await act(site, argv)).stdout.toString().trim();
}

/**
 * Streams the standard output of a command that gets `stdin`; memory is bounded by the pipes. A consumer that stops early ends
 * the process.
 */
export async function* stream(site: Site, argv: readonly string[], stdin?: string): AsyncGenerator<Buffer> {
  const stderr = createPile();
  const chunks = createHandover();
  const child = await launch(program(site, argv, stdin), [chunks.give, stderr.add]);
  refuseUnstarted(child);
  void child.drained.then(chunks.end, chunks.end);
  let whole = false;
  try {
    for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) yield chunk;
    whole = true;
  } finally {
    if (!whole) {
      chunks.end();
      child.release(); // the next write ends it, as it would in a shell
    }
  }
  await codeOf(child, argv, stderr, [0]);
}

const program = (site: Site, argv: readonly string[], stdin: string | Uint8Array | undefined): Program => ({
  file: 'git',
  argv: fullArgv(site, argv),
  cwd: cwdOf(site),
  env: fullEnv(site),
  detached: false,
  ...(stdin === undefined ? {} : { stdin }),
  outputs: 2,
});

/** No fault of what was asked of it; and nothing else would come from it. */
function refuseUnstarted({ pid, failure }: Launched): void {
  if (pid === null) throw new InfrastructureError(`git could not be started: ${failure}`);
}

async function codeOf(
  child: Launched,
  argv: readonly string[],
  stderr: Pile,
  accept: readonly number[],
): Promise<number> {
  refuseUnstarted(child);
  const { code, signal } = await child.exited;
  await child.drained;
  if (code === null || !accept.includes(code)) {
    throw failure(argv, code === null ? `${signal}` : `exit ${code}`, stderr.all().toString());
  }
  return code;
}
