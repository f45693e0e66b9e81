import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Comparison, compare, measurePaired, type TimedRun, timeCommand } from '../../src/evaluator/kit/index.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { inTemporaryFolder } from './folder.ts';

const MEASUREMENTS = 200;
/** Copies of the lock file that make the input: some 10 ms of work for gzip. */
const COPIES = 2;
const LOCK_FILE = resolve(import.meta.dirname, '../../package-lock.json');

interface Measured {
  readonly wall: Comparison;
  readonly cpu: Comparison;
}

/**
 * A program against itself: how often the 95 % interval of a paired measurement holds the truth, which is known here to be 1. Both
 * clocks are read of the same runs; the precision gate goes by the processor's.
 */
export const paired: Benchmark = {
  name: 'paired',
  about: `${MEASUREMENTS} paired measurements of gzip against itself: how often the interval holds 1 (--jobs N measurements)`,
  async run({ jobs = MEASUREMENTS }) {
    return inTemporaryFolder(async (folder) => {
      const text = await readFile(LOCK_FILE, 'utf8');
      await writeFile(join(folder, 'input'), text.repeat(COPIES));
      const measured: Measured[] = [];
      while (measured.length < jobs) measured.push(await measure(folder));
      return {
        figures: [
          ...figures(
            'processor time',
            measured.map(({ cpu }) => cpu),
          ),
          ...figures(
            'elapsed time',
            measured.map(({ wall }) => wall),
          ),
        ],
        notes: [
          `${jobs} measurements of \`gzip -c\` on ${COPIES} copies of package-lock.json, each of 12 to 16 pairs of fresh processes after one ` +
            'for warming up, 3 log ratios trimmed at each end. Should be between 90 and 99 % inside.',
        ],
      };
    });
  },
};

async function measure(cwd: string): Promise<Measured> {
  const elapsed: number[] = [];
  const one = (): Promise<TimedRun> => timeCommand(['gzip', '-c', 'input'], { cwd });
  const cpu = await measurePaired({
    precision: 0.004,
    measure: async (round, order) => {
      const [first, second] = [await one(), await one()];
      const [root, candidate] = order === 'root-first' ? [first, second] : [second, first];
      if (round >= 0) elapsed.push(Math.log(root.wallMs / candidate.wallMs));
      return { root: processorMs(root), candidate: processorMs(candidate) };
    },
  });
  return { cpu, wall: compare(elapsed) };
}

function processorMs({ exitCode, userMs, systemMs }: TimedRun): number {
  if (exitCode !== 0) throw new Error('gzip failed');
  if (userMs === null || systemMs === null) throw new Error('processor time is read through python3: install it');
  return userMs + systemMs;
}

function figures(clock: string, comparisons: readonly Comparison[]): Figure[] {
  const percent = (count: number): number => (100 * count) / comparisons.length;
  const inside = comparisons.filter(({ lower, upper }) => lower <= 1 && upper >= 1).length;
  const errors = comparisons.map(({ standardError }) => standardError).sort((a, b) => a - b);
  const extended = comparisons.filter(({ rounds }) => rounds > 12).length;
  const spread = Math.sqrt(comparisons.reduce((sum, { estimate }) => sum + estimate ** 2, 0) / comparisons.length);
  return [
    { what: `${clock}: intervals that hold 1`, value: percent(inside), unit: '%', least: 90 },
    {
      what: `${clock}: lower bounds above 1`,
      value: percent(comparisons.filter(({ lower }) => lower > 1).length),
      unit: '%',
    },
    { what: `${clock}: standard error, median`, value: 100 * (errors[errors.length >> 1] ?? Number.NaN), unit: '%' },
    { what: `${clock}: spread of the estimates about 1`, value: 100 * spread, unit: '%' },
    { what: `${clock}: measurements of more than 12 rounds`, value: percent(extended), unit: '%' },
  ];
}
