/**
 * `npm run bench -- NAME [--json] [OPTIONS]`: runs one benchmark and prints its figures with the machine they come from. Without a name it
 * lists them. Machines are shared and noisy: compare the ratios, which come from one run; the times are for orientation.
 */
import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import { embedding } from './embedding.ts';
import { describeMachine } from './machine.ts';
import { overhead } from './overhead.ts';
import { paired } from './paired.ts';
import { planted } from './planted.ts';
import { qd } from './qd.ts';
import { settlement } from './settlement.ts';
import { throughput } from './throughput.ts';

const BENCHMARKS: readonly Benchmark[] = [overhead, qd, embedding, settlement, planted, paired, throughput];
const DIGITS = { '×': 2, ms: 1, s: 1, '/s': 0, MiB: 0, '%': 1, jobs: 0, times: 1 } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    jobs: { type: 'string' },
    real: { type: 'boolean', default: false },
  },
});
const [name] = positionals;
const benchmark = BENCHMARKS.find((known) => known.name === name);
if (benchmark === undefined) {
  if (name !== undefined) process.stderr.write(`there is no benchmark "${name}"\n`);
  for (const known of BENCHMARKS) process.stdout.write(`${known.name}: ${known.about}\n`);
  process.exitCode = name === undefined ? 0 : 1;
} else {
  const before = describeMachine();
  const { figures, notes } = await benchmark.run({
    real: values.real,
    ...(values.jobs === undefined ? {} : { jobs: Number(values.jobs) }),
  });
  const machine = { ...before, loadAfter: describeMachine().load };
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ benchmark: benchmark.name, machine, figures, notes }, null, 2)}\n`);
  } else {
    const width = Math.max(...figures.map(({ what }) => what.length));
    const { cpu, cores, node, load, loadAfter } = machine;
    process.stdout.write(`${cpu}, ${cores} cores, load ${load} before and ${loadAfter} after, Node ${node}\n\n`);
    for (const { what, value, unit, aim, least } of figures) {
      const text = `${value.toFixed(DIGITS[unit])} ${unit}`.padStart(12);
      const wanted = aim === undefined ? (least === undefined ? '' : `   aim ≥ ${least}`) : `   aim ≤ ${aim}`;
      process.stdout.write(`${what.padEnd(width)}  ${text}${wanted}\n`);
    }
    for (const note of notes) process.stdout.write(`\n${note}\n`);
  }
}
