import { infrastructure, type TimedRun, timeCommand } from 'clade/evaluator';
import type { Requirement } from './options.ts';

/** The interpreter and the environment that every run of it has: nothing of the contract, a hash seed that is known. */
export interface Python {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Tells where the interpreter is and which modules it lacks; run without the checkout in sight. */
const PROBE = `
import importlib.util, json, sys
missing = [name for name in sys.argv[1:] if importlib.util.find_spec(name) is None]
print(json.dumps({"path": sys.executable, "version": list(sys.version_info[:2]), "missing": missing}))
`;

const OLDEST = [3, 9] as const;

/**
 * Finds the interpreter and checks that it has what the campaign needs.
 *
 * @throws MachineFault that says what is missing and how to install it: no candidate can help that
 */
export async function findPython(
  program: string,
  requires: readonly Requirement[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Python> {
  const environment = {
    PATH: env.PATH ?? '',
    HOME: env.HOME ?? '/nonexistent',
    TMPDIR: env.TMPDIR ?? '/tmp',
    LANG: 'C.UTF-8',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONHASHSEED: '0',
    PYTHONNOUSERSITE: '1',
  };
  const argv = [program, '-I', '-c', PROBE, ...requires.map(({ module }) => module)];
  const run = await timeCommand(argv, { cwd: '/', env: environment });
  if (run.exitCode !== 0)
    infrastructure(`${program} does not run (${run.stderr.trim()}): Python ${OLDEST.join('.')} or newer is needed`);
  const found: { path: string; version: [number, number]; missing: string[] } = JSON.parse(run.stdout);
  if (found.version[0] < OLDEST[0] || (found.version[0] === OLDEST[0] && found.version[1] < OLDEST[1]))
    infrastructure(`${found.path} is Python ${found.version.join('.')}, ${OLDEST.join('.')} or newer is needed`);
  const missing = requires.filter(({ module }) => found.missing.includes(module));
  if (missing.length > 0) {
    const lines = missing.map(({ module, install }) => `  ${module}: ${install}`);
    infrastructure(`${found.path} lacks modules that this campaign needs; install them:\n${lines.join('\n')}`);
  }
  return { path: found.path, env: environment };
}

/** Runs a file or a module of Python in a folder. */
export async function runPython(
  python: Python,
  argv: readonly string[],
  options: { readonly cwd: string; readonly seconds: number; readonly hashSeed?: number },
): Promise<TimedRun> {
  const env = { ...python.env, PYTHONHASHSEED: `${options.hashSeed ?? 0}` };
  return await timeCommand([python.path, ...argv], { cwd: options.cwd, env, timeoutMs: options.seconds * 1000 });
}
