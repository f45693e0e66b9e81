import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PLACEHOLDER = '{prompt_file}';

/** How the brief reaches the command: argv, and what is written to stdin (absent: /dev/null). */
export interface Delivery {
  readonly argv: readonly string[];
  readonly stdin?: string;
}

/** On stdin, unless the command names a file: then stdin is empty, since some agents wait for an open one. */
export async function deliverPrompt(command: readonly string[], prompt: string, scratch: string): Promise<Delivery> {
  if (!command.some((argument) => argument.includes(PLACEHOLDER))) return { argv: command, stdin: prompt };
  const file = join(scratch, 'prompt.md');
  await writeFile(file, prompt);
  return { argv: command.map((argument) => argument.replaceAll(PLACEHOLDER, file)) };
}
