import { type Clock, infrastructure } from 'clade/evaluator';

type Command = readonly string[];

export interface Workload {
  /** The name of its objective. */
  readonly name: string;
  /** Makes its input in the folder $OUT; runs in the root's checkout, for either version. */
  readonly before: Command | null;
  /** What is timed; runs in the checkouts of root and candidate. */
  readonly command: Command;
  /** Runs after every run, in the root's checkout: what it prints must be the same for both. */
  readonly check: Command | null;
}

/** What a campaign asks of this evaluator. */
export interface Settings {
  readonly workloads: readonly Workload[];
  readonly build: Command | null;
  readonly test: Command | null;
  /** Glob patterns of what was built; their hash is the identity. */
  readonly files: readonly string[] | null;
  readonly clock: Clock;
  readonly rounds: number;
  readonly maxRounds: number;
  readonly trim: number;
  /** The largest standard error that needs no more rounds. */
  readonly precision: number | null;
  /** A command that the root does in less is too short to be measured. */
  readonly minimumMs: number;
  /** For one run of one command. */
  readonly timeoutMs: number;
}

const NUMBERS = { rounds: 12, maxRounds: 16, trim: 3, minimumMs: 20, timeoutSeconds: 600 };
const KNOWN = ['workloads', 'build', 'test', 'files', 'clock', 'precision', ...Object.keys(NUMBERS)];

/**
 * Reads the options.
 *
 * @throws MachineFault when one is unknown, missing or not what it must be: the campaign is at fault, never the candidate
 */
export function readSettings(given: unknown): Settings {
  const options = recordOf(given, 'the options of clade-make-project', KNOWN);
  const workloads = Object.entries(recordOf(options.workloads, '"workloads"')).map(([name, value]) =>
    workloadOf(name, value),
  );
  if (workloads.length === 0) infrastructure('clade-make-project needs a workload');
  const { clock = 'wall', precision = null } = options;
  if (clock !== 'wall' && clock !== 'cpu') return infrastructure('"clock" must be wall or cpu');
  const { timeoutSeconds, ...numbers } = {
    rounds: numberOf(options, 'rounds'),
    maxRounds: numberOf(options, 'maxRounds'),
    trim: numberOf(options, 'trim'),
    minimumMs: numberOf(options, 'minimumMs'),
    timeoutSeconds: numberOf(options, 'timeoutSeconds'),
  };
  const fewest = 2 * numbers.trim + 2;
  if (numbers.rounds < fewest) infrastructure(`"rounds" must be ${fewest} or more with a trim of ${numbers.trim}`);
  return {
    workloads,
    build: commandOf(options.build, '"build"'),
    test: commandOf(options.test, '"test"'),
    files: commandOf(options.files, '"files"'),
    clock,
    ...numbers,
    precision: precision === null ? null : numeric(precision, 'precision'),
    timeoutMs: timeoutSeconds * 1000,
  };
}

function workloadOf(name: string, value: unknown): Workload {
  const { before, command, check } = recordOf(value, `the workload "${name}"`, ['before', 'command', 'check']);
  return {
    name,
    before: commandOf(before, `the before of "${name}"`),
    command: commandOf(command, `the command of "${name}"`) ?? infrastructure(`the workload "${name}" has no command`),
    check: commandOf(check, `the check of "${name}"`),
  };
}

function numberOf(options: Readonly<Record<string, unknown>>, name: keyof typeof NUMBERS): number {
  return numeric(options[name] ?? NUMBERS[name], name);
}

function numeric(value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 0) return value;
  return infrastructure(`"${name}" must be a number, 0 or more`);
}

function recordOf(value: unknown, what: string, known?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return infrastructure(`${what} must be an object`);
  const unknown = Object.keys(value).find((key) => known !== undefined && !known.includes(key));
  if (unknown !== undefined) infrastructure(`${what} have no "${unknown}", only ${known?.join(', ')}`);
  return { ...value };
}

function commandOf(value: unknown, what: string): Command | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) return value;
  return infrastructure(`${what} must be a list of texts`);
}
