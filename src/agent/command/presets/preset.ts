import type { AgentEvent } from '../../event.ts';
import type { Call, Place } from '../../process/prepare.ts';

/** What a preset is told of one run. */
export interface PresetTask extends Place {
  /** Null: the agent's default. */
  readonly model: string | null;
  /** Base URL of the model server, in which the forwarder puts the address. */
  readonly modelUrl: string;
}

/** A known coding agent. */
export interface Preset {
  readonly executable: string;
  readonly invoke: (task: PresetTask) => Call;
  /** What one line of its output says; nothing for a line that says nothing. */
  readonly read: (line: string) => readonly AgentEvent[];
}

/** The arguments that name the model, if one is named. */
export function modelArguments(flag: string, model: string | null): string[] {
  return model === null ? [] : [flag, model];
}
