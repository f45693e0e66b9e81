import type { Input } from './launch.ts';
import type { SandboxSpec } from './sandbox.ts';

/** One child to run. Nothing is inherited from Clade's own environment: `env` is complete (see `baseEnvironment`). */
export interface RunRequest {
  readonly argv: readonly [string, ...string[]];
  /** Absolute. In a sandbox it must lie in a bound path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to the child's stdin, which is then closed; absent means /dev/null. */
  readonly stdin?: string | Uint8Array;
  /** In the place of `stdin`, for a child that is talked with: called once, with its stdin, as soon as it was started. Must not throw. */
  readonly onStdin?: (input: Input) => void;
  readonly timeoutMs: number;
  /** Between TERM and KILL, and the longest wait for pipes after the leader's exit. Default 5 000. */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  /** How much of each stream is kept in memory. Default 64 KiB head and 64 KiB tail. */
  readonly capture?: { readonly headBytes: number; readonly tailBytes: number };
  /** Both streams, as they come, are also written here (truncated first), up to `logBytes` (default 16 MiB). */
  readonly logFile?: string;
  readonly logBytes?: number;
  /** Called for every piece of stdout as it comes, and not again before its promise has resolved; for agents that stream events. Must not throw. */
  readonly onStdout?: (chunk: Uint8Array) => void | Promise<void>;
  /** Absent means no sandbox: process group and mark only. */
  readonly sandbox?: SandboxSpec;
}

/** Why the child ended. The first cause wins: a leader that exited by itself keeps its result whatever happens later. */
export type RunEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'limit'; readonly limit: 'memory' | 'disk'; readonly message: string }
  | { readonly kind: 'spawn-failed'; readonly message: string };

/** One stream: valid UTF-8 without NUL, head + "… n bytes left out …" + tail. */
export interface Captured {
  readonly text: string;
  /** All bytes that came, kept or not. */
  readonly bytes: number;
  readonly truncated: boolean;
}

/** 0: group and mark, 1: own pid namespace, 2: bubblewrap, 3: bubblewrap and a cgroup. */
export type IsolationLevel = 0 | 1 | 2 | 3;

/** The one shape for every end. */
export interface RunResult {
  readonly end: RunEnd;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly durationMs: number;
  /** What was really had. */
  readonly isolation: IsolationLevel;
  /**
   * The most that all processes together had in memory: at level 3 as the kernel counted it, else the highest of the looks that
   * the watchdog took. Null without a limit of memory.
   */
  readonly peakMemoryBytes: number | null;
  /** Which limits could not be kept or watched as asked, one sentence each. */
  readonly notes: readonly string[];
}
