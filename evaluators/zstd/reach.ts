import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { infrastructure, invalid } from 'clade/evaluator';

const run = promisify(execFile);
const OUTPUT_BYTES = 512 * 2 ** 20;

/** Instructions that call the kernel. */
const KERNEL_CALL = /\t(syscall|sysenter|int +\$0x80|svc\s|ecall|scall)/;

/** What of the world outside itself a library can touch. */
export interface Reach {
  /** Names that it takes from elsewhere: functions of the C library. */
  readonly imports: readonly string[];
  /** Whether it has instructions of its own that call the kernel. */
  readonly callsKernel: boolean;
  /** Bytes of the table of functions that run when it is loaded, or ended. */
  readonly initBytes: number;
}

/** @throws MachineFault when binutils are missing */
export async function reachOf(library: string): Promise<Reach> {
  const [names, code, sections] = await Promise.all([
    read('nm', ['-D', '--undefined-only', '--format=posix', library]),
    read('objdump', ['-d', '--no-show-raw-insn', library]),
    read('objdump', ['-h', '-w', library]),
  ]);
  return {
    imports: names.split('\n').flatMap((line) => (line === '' ? [] : [line.split(/[\s@]/)[0] ?? ''])),
    callsKernel: KERNEL_CALL.test(code),
    initBytes: [...sections.matchAll(/\s\.(?:init|fini|preinit)_array\s+([0-9a-f]+)/g)]
      .map((found) => Number.parseInt(found[1] ?? '0', 16))
      .reduce((sum, bytes) => sum + bytes, 0),
  };
}

/**
 * Refuses a library that reaches further than the root's: that takes a function of the C library which the root does without
 * (files, threads, clocks, the environment), calls the kernel itself, or does work when it is loaded, where no clock runs.
 *
 * A guard, not a proof: code that hides an instruction in data gets through. It still finds no network, no hidden file and
 * nothing writable to keep from one process to the next, and cannot move the evaluator's clock.
 *
 * @throws Refusal `scope`
 */
export function checkReach(root: Reach, candidate: Reach): void {
  const known = new Set(root.imports);
  const foreign = candidate.imports.filter((name) => !known.has(name));
  if (foreign.length > 0) {
    invalid(
      'scope',
      `the library uses what the root's does not: ${foreign.join(', ')}`,
      'It may call no further functions of the C library.',
    );
  }
  if (candidate.callsKernel && !root.callsKernel) invalid('scope', 'the library calls the kernel by itself');
  if (candidate.initBytes > root.initBytes)
    invalid('scope', 'the library runs code when it is loaded', 'No constructors.');
}

async function read(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(program, [...args], { maxBuffer: OUTPUT_BYTES })).stdout;
  } catch (cause) {
    return infrastructure(`${program} (of binutils) cannot read the library`, cause);
  }
}
