#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { type Clock, pairCommands } from './pair-commands.ts';
import { Refusal } from './refusal.ts';

/**
 * `clade-paired`: a paired measurement as a command, for evaluators in any language. Exit 0: measured; 1: the command failed in the
 * candidate's folder; 2: usage; 75: it failed in the root's, or the machine is at fault.
 */

const HELP = `usage: clade-paired [OPTIONS] -- COMMAND [ARGUMENT…]

Runs COMMAND in the root's folder and in the candidate's, alternately, each time in a fresh process, and prints how much
faster the candidate is: ratio (above 1: faster), 95 % interval, standard error of the logarithm, rounds.

  --root-dir DIR       the root's folder (default: $CLADE_ROOT_DIR)
  --candidate-dir DIR  the candidate's folder (default: the current one)
  --rounds N           rounds that are measured in any case (12)
  --max-rounds N       rounds at most, while --precision is not reached (16)
  --precision E        largest standard error that needs no more rounds, as 0.004 (default: no gate)
  --trim N             log ratios left out at each end (3)
  --warmup N           rounds before the first, thrown away (1)
  --clock wall|cpu     elapsed time, or user and system time (wall)
  --timeout SECONDS    for one run of COMMAND (600)
  --json               one line of JSON with every round, in place of text
  --help               this text

Exit codes: 0 measured, 1 COMMAND fails for the candidate, 2 usage, 75 it fails for the root or the machine is at fault.

  clade-paired --root-dir "$CLADE_ROOT_DIR" --precision 0.004 --json -- ./tool -b1 corpus.bin
  clade-paired --clock cpu -- sh -c './zstd -3 -c < "$CLADE_CACHE/corpus" > /dev/null'
`;

class UsageError extends Error {}

async function run(argv: readonly string[]): Promise<number> {
  const { values, command } = parse(argv);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const rootDir = values['root-dir'] ?? process.env.CLADE_ROOT_DIR ?? '';
  if (rootDir === '') throw new UsageError('--root-dir is needed: CLADE_ROOT_DIR is not set');
  if (command.length === 0) throw new UsageError('there is no command after --');
  const [rounds, trim] = [whole(values.rounds, 'rounds', 12), whole(values.trim, 'trim', 3)];
  if (rounds - 2 * trim < 2) throw new UsageError(`${rounds} rounds are too few to trim ${trim} at each end`);
  const timeoutMs = number(values.timeout, 'timeout', 600) * 1000;
  const comparison = await pairCommands({
    root: { argv: command, cwd: rootDir, timeoutMs },
    candidate: { argv: command, cwd: values['candidate-dir'] ?? process.cwd(), timeoutMs },
    rounds,
    maxRounds: whole(values['max-rounds'], 'max-rounds', 16),
    trim,
    warmup: whole(values.warmup, 'warmup', 1),
    precision: values.precision === undefined ? null : number(values.precision, 'precision', 0),
    clock: clockOf(values.clock ?? 'wall'),
  });
  if (values.json) process.stdout.write(`${JSON.stringify(comparison)}\n`);
  else {
    const { ratio, lower, upper, standardError, rounds } = comparison;
    process.stdout.write(
      `ratio ${ratio.toFixed(4)}, 95 % interval ${lower.toFixed(4)} to ${upper.toFixed(4)}, ` +
        `standard error ${standardError.toFixed(4)}, ${rounds} rounds\n`,
    );
  }
  return 0;
}

function parse(argv: readonly string[]) {
  const at = argv.indexOf('--');
  const own = at < 0 ? argv : argv.slice(0, at);
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...own],
      options: {
        'root-dir': text,
        'candidate-dir': text,
        rounds: text,
        'max-rounds': text,
        precision: text,
        trim: text,
        warmup: text,
        clock: text,
        timeout: text,
        json: flag,
        help: flag,
      },
    });
    return { values, command: at < 0 ? [] : argv.slice(at + 1) };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function clockOf(text: string): Clock {
  if (text === 'wall' || text === 'cpu') return text;
  throw new UsageError(`--clock is wall or cpu, not ${text}`);
}

function whole(text: string | undefined, name: string, otherwise: number): number {
  const value = number(text, name, otherwise);
  if (Number.isInteger(value)) return value;
  throw new UsageError(`--${name} must be a whole number, not ${text}`);
}

function number(text: string | undefined, name: string, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (text !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new UsageError(`--${name} must be a number, 0 or more, not ${JSON.stringify(text)}`);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`clade-paired: ${message}\n`);
  if (error instanceof UsageError) process.stderr.write('clade-paired --help shows how it is used\n');
  if (error instanceof Refusal && error.evidence !== '') process.stderr.write(`${error.evidence}\n`);
  process.exitCode = error instanceof UsageError ? 2 : error instanceof Refusal ? 1 : 75;
}
