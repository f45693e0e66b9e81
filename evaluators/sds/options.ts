import { infrastructure } from 'clade/evaluator';

/** What a campaign may ask for. */
export interface Settings {
  /** The solver, run in the checkout for every instance. */
  readonly command: readonly string[];
  /** Instances of each of the ten types in a split. */
  readonly perType: number;
  /** Processor time for one instance, whole seconds. */
  readonly cpuSeconds: number;
}

const KEYS = ['command', 'perType', 'cpuSeconds'];

/**
 * Reads `--options`: `{"command": ["node", "solve.js"], "perType": 3, "cpuSeconds": 2}`; these are the defaults.
 *
 * @throws MachineFault when they are not as they must be
 */
export function readSettings(written: unknown): Settings {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    infrastructure('the options of sds must be an object');
  const unknown = Object.keys(written).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) infrastructure(`sds has no option "${unknown}", only ${KEYS.join(', ')}`);
  const { command, perType, cpuSeconds } = { command: ['node', 'solve.js'], perType: 3, cpuSeconds: 2, ...written };
  if (!(Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string')))
    infrastructure('the option "command" of sds must be a list of texts, the program first');
  for (const [name, value] of Object.entries({ perType, cpuSeconds })) {
    if (!(Number.isInteger(value) && value >= 1 && value <= 100))
      infrastructure(`the option "${name}" of sds must be a whole number from 1 to 100`);
  }
  return { command, perType, cpuSeconds };
}
