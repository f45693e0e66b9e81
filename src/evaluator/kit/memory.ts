import { findPython, PYTHON_FLAGS } from './python.ts';
import { type CommandOptions, runCommand } from './spawn.ts';

/**
 * The kernel counts to a process what its parent had when it was forked, so the command is forked by a small shell; the shell ends,
 * and the Python above it, as the nearest reaper (prctl 36), waits for the command and reads its account. The command starts when the shell is gone, which could reap it otherwise.
 */
const PROGRAM = `
import ctypes, json, os, signal, sys
if ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) != 0: sys.exit(1)
reader, writer = os.pipe()
gate, opener = os.pipe()
shell = os.fork()
if shell == 0:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.dup2(0, 8)
    os.dup2(gate, 7)
    os.dup2(writer, 9)
    os.execv("/bin/sh", ["sh", "-c", '{ read _ <&7; exec "$@" <&8 3>&- 7<&- 8<&- 9>&-; } & echo $! >&9', "sh", *sys.argv[1:]])
os.close(writer)
command = int(os.read(reader, 32))
os.waitpid(shell, 0)
os.close(opener)
_, status, usage = os.wait4(command, 0)
os.write(3, json.dumps({"peakBytes": usage.ru_maxrss * 1024, "ok": status == 0}).encode())
`;

/**
 * The largest resident set of any one of the command's processes, in bytes, by the kernel's account: exact down to the 1 MiB of the
 * shell that starts it. The run is not for timing. null when this machine cannot tell (no Linux, no `python3`), or the command
 * failed: half a run says nothing about the whole.
 *
 * @throws MachineFault when nothing can be started
 */
export async function peakMemory(argv: readonly string[], options: CommandOptions): Promise<number | null> {
  const python = await findPython();
  if (python === null || process.platform !== 'linux') return null;
  const { report } = await runCommand([python, ...PYTHON_FLAGS, PROGRAM, ...argv], options);
  if (report === '') return null;
  const { peakBytes, ok }: { peakBytes: number; ok: boolean } = JSON.parse(report);
  return ok ? peakBytes : null;
}
