import { infrastructure, type PairedPlan } from 'clade/evaluator';

/** What a campaign asks of this evaluator. Paths of the package are relative to the checkouts, those of the benchmark to the campaign. */
export interface Settings {
  /** The module that is measured, as it is after the build. */
  readonly entry: string;
  /** The benchmark module, a file of the campaign's folder. */
  readonly benchmark: string;
  /** The objective that the ratio is given as. */
  readonly objective: string;
  /** Glob patterns of the built package: its identity is their hash, and their code is what `scope` looks at. */
  readonly files: readonly string[];
  /** Commands that run in the checkout before anything is measured: argv, or null for none. */
  readonly build: readonly string[] | null;
  readonly test: readonly string[] | null;
  /** Refuse code that imports what the root does not, or reaches for the process. */
  readonly scope: boolean;
  /** Allow `eval` and `new Function` in the measured process; some packages compile templates so. */
  readonly codeFromText: boolean;
  /** Heap of the measured process. */
  readonly heapMiB: number;
  /** How long the measured process may take for one thing it is asked. */
  readonly replySeconds: number;
  readonly plan: PairedPlan;
}

const DEFAULTS: Omit<Settings, 'entry' | 'benchmark' | 'files' | 'plan'> = {
  objective: 'throughput',
  build: null,
  test: null,
  scope: true,
  codeFromText: false,
  heapMiB: 512,
  replySeconds: 20,
};
const PLAN = { rounds: 12, maxRounds: 16, trim: 3, precision: 0.004 };

/**
 * Reads the options.
 *
 * @throws MachineFault when one is unknown, missing or not what it must be: the campaign is at fault, never the candidate
 */
export function readSettings(given: unknown): Settings {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return infrastructure('the options of clade-node-package must be an object');
  }
  const options: Readonly<Record<string, unknown>> = { ...given };
  const known = ['entry', 'benchmark', 'files', ...Object.keys(DEFAULTS), ...Object.keys(PLAN)];
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) infrastructure(`clade-node-package has no option "${key}", only ${known.join(', ')}`);
  }
  const take = <T>(key: string, otherwise: T | undefined, ok: (value: unknown) => value is T, what: string): T => {
    const value = options[key] === undefined ? otherwise : options[key];
    return ok(value) ? value : infrastructure(`the option "${key}" of clade-node-package must be ${what}`);
  };
  const number = (key: string, otherwise: number): number => take(key, otherwise, isPositive, 'a number above 0');
  const whole = (key: string, otherwise: number): number => take(key, otherwise, isWhole, 'a whole number, 0 or more');
  const text = (key: string, otherwise?: string): string => take(key, otherwise, isText, 'a text');
  const entry = text('entry');
  return {
    entry,
    benchmark: text('benchmark'),
    objective: text('objective', DEFAULTS.objective),
    files: take('files', [entry], isTexts, 'a list of glob patterns'),
    build: take('build', DEFAULTS.build, isCommand, 'a command as a list of texts'),
    test: take('test', DEFAULTS.test, isCommand, 'a command as a list of texts'),
    scope: take('scope', DEFAULTS.scope, isBoolean, 'true or false'),
    codeFromText: take('codeFromText', DEFAULTS.codeFromText, isBoolean, 'true or false'),
    heapMiB: number('heapMiB', DEFAULTS.heapMiB),
    replySeconds: number('replySeconds', DEFAULTS.replySeconds),
    plan: {
      rounds: whole('rounds', PLAN.rounds),
      maxRounds: whole('maxRounds', PLAN.maxRounds),
      trim: whole('trim', PLAN.trim),
      precision: number('precision', PLAN.precision),
      // Every round has processes of its own, each of which is warmed up.
      warmup: 0,
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function isCommand(value: unknown): value is string[] | null {
  return value === null || isTexts(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
