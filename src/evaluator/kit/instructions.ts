import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { infrastructure, MachineFault, StartError } from './refusal.ts';
import { type CommandOptions, runCommand } from './spawn.ts';

export type Counter = 'callgrind' | 'perf';

export interface CountOptions extends CommandOptions {
  /** `callgrind` simulates: exact, on every machine, some fifty times slower. `perf` asks the processor's own counter. */
  readonly tool?: Counter;
}

export interface Counted {
  /** Executed in user mode by all processes of the command. */
  readonly instructions: number;
  readonly tool: Counter;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const INSTALL = {
  callgrind: 'valgrind is not installed: install it (Debian: apt-get install valgrind), or count with perf',
  perf: 'perf is not installed: install it (Debian: apt-get install linux-perf), or count with callgrind',
} as const;

/**
 * Runs a command once and counts its instructions: not touched by what else the machine does, but blind to caches, branches and
 * waiting. A failing command is no error here: look at `exitCode`.
 *
 * @throws MachineFault when the tool is missing, with what to install, or the machine has no such counter
 */
export async function countInstructions(argv: readonly string[], options: CountOptions): Promise<Counted> {
  const { tool = 'callgrind' } = options;
  const folder = await mkdtemp(join(tmpdir(), 'clade-count-'));
  try {
    const wrapped = [...(tool === 'callgrind' ? callgrind(folder) : perf(folder)), ...argv];
    const {
      report: _,
      wallMs: __,
      ...run
    } = await runCommand(wrapped, options).catch((error: unknown) => {
      throw error instanceof StartError ? new MachineFault(INSTALL[tool], { cause: error }) : error;
    });
    const instructions = tool === 'callgrind' ? await callgrindTotal(folder) : await perfTotal(folder);
    if (instructions === null && run.exitCode === 0)
      infrastructure(`${tool} gave no count: ${run.stderr.slice(-2000)}`);
    return { ...run, tool, instructions: instructions ?? Number.NaN };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function callgrind(folder: string): string[] {
  return [
    'valgrind',
    '-q',
    '--tool=callgrind',
    '--trace-children=yes',
    `--callgrind-out-file=${join(folder, '%p')}`,
    '--',
  ];
}

function perf(folder: string): string[] {
  return ['perf', 'stat', '-x', ',', '-e', 'instructions:u', '-o', join(folder, 'perf'), '--'];
}

/** Each process leaves a file; `totals:` is its own sum. null when there is none. */
async function callgrindTotal(folder: string): Promise<number | null> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  const totals = texts.flatMap((text) => /^totals: (\d+)$/m.exec(text)?.[1] ?? []).map(Number);
  return totals.length === 0 ? null : totals.reduce((sum, value) => sum + value, 0);
}

/** The first field of the line is the count, or says that there is none. */
async function perfTotal(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'perf'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const line = text.split('\n').find((each) => each.includes('instructions'));
  if (line === undefined) return null;
  const count = line.split(',')[0] ?? '';
  if (/^\d+$/.test(count)) return Number(count);
  return infrastructure(`this machine has no instruction counter for perf (${count}): count with callgrind`);
}
