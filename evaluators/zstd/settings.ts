import { infrastructure } from 'clade/evaluator';

/** What a campaign may set with `--options` or `--options-file`. */
export interface Settings {
  /** The compression levels that are measured. */
  readonly levels: readonly number[];
  /** Further levels whose round trips are checked, not timed. */
  readonly gateLevels: readonly number[];
  /** Of each kind of data and round. */
  readonly mebibytes: number;
  readonly rounds: number;
  readonly maxRounds: number;
  readonly trim: number;
  /** The largest standard error of a geometric mean's logarithm that needs no more rounds. */
  readonly precision: number;
  /** A cell of a round is measured again in fresh processes until it has taken so long. */
  readonly minimumMs: number;
  /** By which share the compressed size of any cell may grow, over all rounds. */
  readonly sizeGrowth: number;
  /** By which share peak memory may grow, at any level in either direction. */
  readonly memoryGrowth: number;
  /** What is compiled, as glob patterns from the checkout. */
  readonly sources: readonly string[];
  readonly compiler: string;
  readonly flags: readonly string[];
}

export const DEFAULTS: Settings = {
  levels: [1, 3, 5],
  gateLevels: [-5, 2, 7, 12, 19],
  mebibytes: 4,
  rounds: 12,
  maxRounds: 16,
  trim: 3,
  precision: 0.002,
  minimumMs: 20,
  sizeGrowth: 0.001,
  memoryGrowth: 0.05,
  sources: ['lib/common/*.c', 'lib/compress/*.c', 'lib/decompress/*.c', 'lib/decompress/*.S'],
  compiler: 'cc',
  flags: ['-O3', '-DXXH_NAMESPACE=ZSTD_', '-DNDEBUG'],
};

/**
 * The options of the campaign over the defaults.
 *
 * @throws MachineFault for an unknown key or a value of another type: that is a mistake of the campaign, not of a candidate
 */
export function settingsOf(written: unknown): Settings {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    return infrastructure('the options must be an object');
  }
  for (const [key, value] of Object.entries(written)) check(key, value);
  const settings: Settings = { ...DEFAULTS, ...written };
  if (settings.levels.length === 0) infrastructure('the option levels must not be empty');
  if (settings.rounds - 2 * settings.trim < 2) {
    infrastructure(`the option rounds must be at least ${2 * settings.trim + 2} with a trim of ${settings.trim}`);
  }
  return settings;
}

function check(key: string, value: unknown): void {
  const known = Object.entries(DEFAULTS).find(([name]) => name === key);
  if (known === undefined) {
    infrastructure(`there is no option ${key}; there are ${Object.keys(DEFAULTS).join(', ')}`);
  }
  const [, standard] = known;
  if (typeof standard === 'number') {
    if (typeof value !== 'number' || !(value >= 0)) infrastructure(`the option ${key} must be a number, 0 or more`);
  } else if (typeof standard === 'string') {
    if (typeof value !== 'string') infrastructure(`the option ${key} must be text`);
  } else {
    const type = typeof standard[0];
    const fits = Array.isArray(value) && value.every((item) => typeof item === type);
    if (!fits) infrastructure(`the option ${key} must be a list of ${type}s`);
  }
}
