import type { AgentEvent } from '../../event.ts';

/** What a preset is told of one run. */
export interface PresetTask {
  /** The brief, or where it is when it is too long for an argument. */
  readonly prompt: string;
  /** A file with the brief, absolute. */
  readonly promptFile: string;
  readonly worktree: string;
  /** The agent's own HOME. */
  readonly home: string;
  /** Null: the agent's default. */
  readonly model: string | null;
  /** Base URL of the model server, in which the forwarder puts the address. */
  readonly modelUrl: string;
}

/** How a known agent is called: arguments after its executable, and what its environment says besides the usual. */
export interface Invocation {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A known coding agent. */
export interface Preset {
  readonly executable: string;
  readonly invoke: (task: PresetTask) => Invocation;
  /** What one line of its output says; nothing for a line that says nothing. */
  readonly read: (line: string) => readonly AgentEvent[];
}

/** A key has to be there, and is in the gateway. */
export const NO_KEY = 'in-the-gateway';

/** The arguments that name the model, if one is named. */
export function modelArguments(flag: string, model: string | null): string[] {
  return model === null ? [] : [flag, model];
}
