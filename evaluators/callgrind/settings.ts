import { type Counter, infrastructure } from 'clade/evaluator';

export interface Workload {
  /** The name of its objective. */
  readonly name: string;
  /** Runs before it, not counted: makes its input in the folder $OUT. */
  readonly before: readonly string[] | null;
  /** What is counted; runs in the checkouts of root and candidate. */
  readonly command: readonly string[];
  /** Runs after it, not counted: what it prints must be the same for both. */
  readonly check: readonly string[] | null;
}

/** What a campaign asks of this evaluator. */
export interface Settings {
  readonly workloads: readonly Workload[];
  readonly build: readonly string[] | null;
  readonly test: readonly string[] | null;
  /** Glob patterns of what was built; their hash is the identity. */
  readonly files: readonly string[] | null;
  readonly tool: Counter;
  /** For one run of one command. */
  readonly timeoutMs: number;
}

const KNOWN = ['workloads', 'build', 'test', 'files', 'tool', 'timeoutSeconds'];

/**
 * Reads the options.
 *
 * @throws MachineFault when one is unknown, missing or not what it must be: the campaign is at fault, never the candidate
 */
export function readSettings(given: unknown): Settings {
  const options = recordOf(given, 'the options of clade-callgrind');
  for (const key of Object.keys(options)) {
    if (!KNOWN.includes(key)) infrastructure(`clade-callgrind has no option "${key}", only ${KNOWN.join(', ')}`);
  }
  const workloads = Object.entries(recordOf(options.workloads, '"workloads"')).map(([name, value]) => {
    const { before, command, check, ...rest } = recordOf(value, `the workload "${name}"`);
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined)
      infrastructure(`the workload "${name}" has only before, command and check, not "${unknown}"`);
    const needed = texts(command, `the command of "${name}"`);
    if (needed === null) return infrastructure(`the workload "${name}" has no command`);
    return {
      name,
      before: texts(before, `the before of "${name}"`),
      command: needed,
      check: texts(check, `the check of "${name}"`),
    };
  });
  if (workloads.length === 0) infrastructure('clade-callgrind needs a workload');
  const { tool = 'callgrind', timeoutSeconds = 600 } = options;
  if (tool !== 'callgrind' && tool !== 'perf') return infrastructure('"tool" must be callgrind or perf');
  if (typeof timeoutSeconds !== 'number' || !(timeoutSeconds > 0)) {
    return infrastructure('"timeoutSeconds" must be a number above 0');
  }
  return {
    workloads,
    build: texts(options.build, '"build"'),
    test: texts(options.test, '"test"'),
    files: texts(options.files, '"files"'),
    tool,
    timeoutMs: timeoutSeconds * 1000,
  };
}

function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  return infrastructure(`${what} must be an object`);
}

function texts(value: unknown, what: string): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) return value;
  return infrastructure(`${what} must be a list of texts`);
}
