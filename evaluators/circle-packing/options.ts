import { infrastructure } from 'clade/evaluator';

/** What a campaign may ask for. */
export interface Settings {
  /** How many circles are packed. */
  readonly circles: number;
  /** The side of the square, exactly the double that was written. */
  readonly side: number;
  /** Processor time of one run of the constructor. */
  readonly cpuSeconds: number;
  /** More source than this is refused. */
  readonly maxCost: number;
}

/** The root of the ready campaign needs 0.03 s, and an honest constructor some hundred units. */
const DEFAULTS = { circles: 26, side: 1, cpuSeconds: 2, maxCost: 20_000 };
const WHOLE: readonly string[] = ['circles', 'cpuSeconds', 'maxCost'];

/**
 * Reads `--options`: `{"circles": 26, "side": 1, "cpuSeconds": 2, "maxCost": 20000}`, every key with its default.
 *
 * @throws MachineFault when a key is unknown or a value no number above zero (a whole one, but for `side`)
 */
export function readSettings(written: unknown): Settings {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    infrastructure('the options of circle-packing must be an object');
  const values: Record<string, number> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(written)) {
    if (!(name in DEFAULTS))
      infrastructure(`circle-packing has no option "${name}", only ${Object.keys(DEFAULTS).join(', ')}`);
    if (!(typeof value === 'number' && Number.isFinite(value) && value > 0))
      infrastructure(
        `the option "${name}" of circle-packing must be a number above zero, not ${JSON.stringify(value)}`,
      );
    if (WHOLE.includes(name) && !Number.isInteger(value))
      infrastructure(`the option "${name}" of circle-packing must be a whole number, not ${value}`);
    values[name] = value;
  }
  const { circles, side, cpuSeconds, maxCost } = { ...DEFAULTS, ...values };
  return { circles, side, cpuSeconds, maxCost };
}
