import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Linux takes 128 KiB in one argument. */
const ARGUMENT_BYTES = 100_000;

/** The brief in a file, and as an argument: itself, or where it is. */
export async function promptIn(scratch: string, brief: string): Promise<{ prompt: string; promptFile: string }> {
  const promptFile = join(scratch, 'prompt.md');
  await writeFile(promptFile, brief);
  const short = Buffer.byteLength(brief) <= ARGUMENT_BYTES;
  return { promptFile, prompt: short ? brief : `Read ${promptFile}: it is your task. Then do what it says.` };
}
