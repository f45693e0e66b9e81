import { ConfigurationError } from '../../errors.ts';
import { FORWARDER } from '../../gateway/index.ts';
import type { ModelAccess } from '../models.ts';
import type { Task } from '../task.ts';

/** A command with the way to its model before it. */
export interface Reaching {
  readonly argv: readonly [string, ...string[]];
  /** What has to be seen in the sandbox for it. */
  readonly readOnly: readonly string[];
}

/** In arguments and environment it stands for the address at which the forwarder listens. */
const ADDRESS = '{gateway}';

/** @throws ConfigurationError when no gateway serves this run */
export function modelsOf({ models }: Task, kind: string): ModelAccess {
  if (models === null) throw new ConfigurationError(`the agent ${kind} needs a gateway to reach its model`);
  return models;
}

/** The base URL of a provider, for a process behind the forwarder. */
export function modelUrl(models: ModelAccess, provider: string): string {
  return `${ADDRESS}${models.pathOf(provider)}`;
}

/** The command behind the forwarder, which leads from its sandbox without network to the gateway. */
export function reaching(models: ModelAccess, command: readonly string[]): Reaching {
  return { argv: [process.execPath, FORWARDER, models.socket, ...command], readOnly: [FORWARDER, models.socket] };
}
