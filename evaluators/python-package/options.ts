import { infrastructure } from 'clade/evaluator';

/** A module that must be there, and how to get it. */
export interface Requirement {
  readonly module: string;
  readonly install: string;
}

/** What a campaign asks for. */
export interface Settings {
  /** The name by which the package is imported. */
  readonly package: string;
  /** The folder of the checkout that holds the package: `.` or `src`. */
  readonly path: string;
  /** A file of the campaign; see the README. */
  readonly benchmark: string;
  /** The test command, run in the checkout; `python` as its first word is the interpreter. Empty: no tests. */
  readonly test: readonly string[];
  readonly testSeconds: number;
  /** Found on PATH, or absolute. */
  readonly python: string;
  readonly requires: readonly Requirement[];
  /** Modules that a candidate may import though the root does not. */
  readonly allow: readonly string[];
  /** The objective's name. */
  readonly objective: string;
  readonly rounds: number;
  readonly maxRounds: number;
  readonly trim: number;
  readonly precision: number | null;
  /** Timed runs of each version in a round. */
  readonly repeats: number;
  readonly roundSeconds: number;
  readonly clock: 'cpu' | 'wall';
  /** A process for each version instead of one interpreter for both. */
  readonly isolate: boolean;
}

const DEFAULTS: Omit<Settings, 'package' | 'benchmark'> = {
  path: '.',
  test: ['python', '-m', 'pytest', '-q', '-x', '-p', 'no:cacheprovider'],
  testSeconds: 300,
  python: 'python3',
  requires: [],
  allow: [],
  objective: 'throughput',
  rounds: 12,
  maxRounds: 16,
  trim: 3,
  precision: 0.004,
  repeats: 5,
  roundSeconds: 120,
  clock: 'cpu',
  isolate: false,
};

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const whole: Check = (value) => Number.isInteger(value) && Number(value) >= 1;
const requirement: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  'module' in value &&
  'install' in value &&
  text(value.module) &&
  text(value.install);

const CHECKS: Record<keyof Settings, readonly [Check, string]> = {
  package: [text, 'the name by which the package is imported'],
  path: [text, 'a folder of the checkout'],
  benchmark: [text, 'a file of the campaign'],
  test: [texts, 'a list of texts'],
  testSeconds: [whole, 'a whole number above 0'],
  python: [text, 'an interpreter'],
  requires: [(value) => Array.isArray(value) && value.every(requirement), 'a list of {"module": …, "install": …}'],
  allow: [texts, 'a list of modules'],
  objective: [text, 'a name'],
  rounds: [whole, 'a whole number above 0'],
  maxRounds: [whole, 'a whole number above 0'],
  trim: [(value) => value === 0 || whole(value), 'a whole number'],
  precision: [(value) => value === null || (typeof value === 'number' && value > 0), 'a number above 0, or null'],
  repeats: [whole, 'a whole number above 0'],
  roundSeconds: [whole, 'a whole number above 0'],
  clock: [(value) => value === 'cpu' || value === 'wall', '"cpu" or "wall"'],
  isolate: [(value) => typeof value === 'boolean', 'true or false'],
};

/**
 * Checks what was written and fills in the defaults.
 *
 * @throws MachineFault naming the option that is missing, unknown or not as it must be
 */
export function readSettings(written: unknown): Settings {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    infrastructure('the options of python-package must be an object');
  const given: Record<string, unknown> = { ...DEFAULTS, ...written };
  const unknown = Object.keys(given).find((name) => !(name in CHECKS));
  if (unknown !== undefined) infrastructure(`python-package has no option "${unknown}"`);
  for (const [name, [check, what]] of Object.entries(CHECKS)) {
    if (!check(given[name])) infrastructure(`the option "${name}" of python-package must be ${what}`);
  }
  // Every key of Settings was checked above.
  return given as unknown as Settings;
}
