import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InfrastructureError } from '../../errors.ts';
import { baseEnvironment, findExecutable, type RunRequest, redactor } from '../../process/index.ts';
import { renderBrief } from '../brief/brief.ts';
import type { ModelAccess } from '../models.ts';
import { sandboxFor } from '../sandbox.ts';
import type { Task } from '../task.ts';
import { installOf } from './install.ts';
import { promptIn } from './prompt.ts';
import { reaching } from './reach.ts';

/** Where one run works. */
export interface Place {
  /** The brief, or where it is when it is too long for an argument. */
  readonly prompt: string;
  /** A file with the brief, absolute. */
  readonly promptFile: string;
  readonly worktree: string;
  /** The agent's own HOME. */
  readonly home: string;
}

/** How an agent is called: arguments after its executable, and what its environment says besides the usual. */
export interface Call {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An agent that is installed on this machine. */
export interface Installed {
  /** What messages call it. */
  readonly name: string;
  /** Executable and options as they are written, with `./x` resolved. */
  readonly command: readonly [string, ...string[]];
  /** Names of environment variables passed to it. */
  readonly env: readonly string[];
  readonly network: boolean;
  /** Null: it reaches no model, or by itself. */
  readonly models: ModelAccess | null;
  readonly call: (place: Place) => Call;
}

/** What is to be run. */
export interface Prepared {
  readonly run: Required<Pick<RunRequest, 'argv' | 'cwd' | 'env' | 'sandbox'>>;
  readonly prompt: string;
  /** Takes out of a text the values of the variables that were passed: an agent may print its key, and what it prints is stored and shown. */
  readonly redact: (text: string) => string;
}

/**
 * An agent in its sandbox, with HOME and temporary files of its own and the gateway within reach.
 * @throws InfrastructureError when its executable is not there
 */
export async function prepare({ name, command, env, network, models, call }: Installed, task: Task): Promise<Prepared> {
  const [home, tmp] = [join(task.scratch, 'home'), join(task.scratch, 'tmp')];
  for (const folder of [home, tmp]) await mkdir(folder, { recursive: true });
  const prompts = await promptIn(task.scratch, renderBrief(task.brief));
  const { worktree } = task;
  const called = call({ ...prompts, worktree, home });
  const whole = baseEnvironment({ home, tmp, pass: env, extra: called.env });
  const [written, ...options] = command;
  const executable = await findExecutable(written, whole.PATH ?? '', worktree);
  if (executable === null) {
    throw new InfrastructureError(`${name} cannot be started: ${written} is not on the PATH`, {
      hint: `install it, or name its executable in command: [/path/to/${written}]`,
    });
  }
  const own = [executable, ...options, ...called.argv] as const;
  const { argv, readOnly } = models === null ? { argv: own, readOnly: [] } : reaching(models, own);
  return {
    run: {
      argv,
      cwd: worktree,
      env: whole,
      sandbox: sandboxFor(task, argv, network, [...readOnly, installOf(executable)]),
    },
    prompt: prompts.prompt,
    redact: redactor(env.flatMap((variable) => whole[variable] ?? [])),
  };
}
