import { resolve } from 'node:path';

/**
 * The command with `./x` and `../x` made absolute: they are files of the campaign folder. Left as they are, they would be
 * looked up in the worktree, and a candidate could replace the agent.
 */
export function resolveCommand(command: readonly string[], directory: string): string[] {
  return command.map((argument) => (/^\.\.?\//.test(argument) ? resolve(directory, argument) : argument));
}
