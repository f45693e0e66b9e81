import { execFile } from 'node:child_process';

/** Isolated, without site packages: 10 ms to start, and nothing of the candidate's folder is imported. */
export const PYTHON_FLAGS = ['-I', '-S', '-c'] as const;

let known: Promise<string | null> | undefined;

/**
 * The Python that reads the kernel's account of a child (wait4), which Node does not give; null when there is none. The one on PATH
 * may be a slow wrapper of version managers, so it is asked for its real path, once; or one that does not work here, as below a
 * home folder of which a sandbox shows but a part: then the system's.
 */
export function findPython(): Promise<string | null> {
  known ??= realPath('python3').then((found) => found ?? realPath('/usr/bin/python3'));
  return known;
}

function realPath(python: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(python, [...PYTHON_FLAGS, 'import sys; print(sys.executable)'], (error, stdout) => {
      resolve(error === null && stdout.trim() !== '' ? stdout.trim() : null);
    });
  });
}

/**
 * Starts the command, waits for it, and reports to file descriptor 3, which the command does not inherit. Python ignores two signals
 * that a command expects to be ended by, and ignoring is inherited. Its own peak memory, below which nothing of the command's is seen, comes
 * from /proc: its rusage counts what Node, which started it, had before.
 */
export const TIME_PROGRAM = `
import json, os, resource, signal, sys, time
os.set_inheritable(3, False)
started = time.monotonic_ns()
pid = os.fork()
if pid == 0:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    except OSError as error:
        os.write(3, json.dumps({"error": str(error)}).encode() + b"\\n")
    os._exit(127)
_, status, usage = os.wait4(pid, 0)
wall = time.monotonic_ns() - started
unit = 1 if sys.platform == "darwin" else 1024
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
if os.path.exists("/proc/self/status"):
    with open("/proc/self/status") as file:
        own = next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
os.write(3, json.dumps({
    "wallNs": wall, "userSeconds": usage.ru_utime, "systemSeconds": usage.ru_stime,
    "peakBytes": usage.ru_maxrss * unit if usage.ru_maxrss > own else None,
    "exitCode": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
    "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None}).encode())
`;
