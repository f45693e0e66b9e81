import type { EvaluatorConfig } from '../campaign.ts';
import type { KeyPath } from '../key-path.ts';

/** Every command of the evaluator with the place of its executable in the campaign file. */
export function commandsOf({ steps, prepare }: EvaluatorConfig): { at: KeyPath; command: readonly string[] }[] {
  const all = steps.map(({ kind, command }, index) => ({
    at: kind === null ? ['evaluator', 'command', 0] : ['evaluator', 'steps', index, 'command', 0],
    command,
  }));
  return prepare === null ? all : [...all, { at: ['evaluator', 'prepare', 0], command: prepare }];
}

/** `evaluator.steps[0].command[0]`. */
export function nameOf(at: KeyPath): string {
  return at.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name === '' ? key : `${name}.${key}`;
  }, '');
}
