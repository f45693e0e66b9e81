import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { baseEnvironment, run } from '../../../process/index.ts';
import { sandboxFor } from '../../sandbox.ts';
import { defineTool } from './define.ts';

const DEFAULT_SECONDS = 60;
const MOST_SECONDS = 600;
const CAPTURE = { headBytes: 6_000, tailBytes: 10_000 };

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a shell command in the root of the repository, in a sandbox without network. Builds and tests are welcome.',
  input: z.object({
    command: z.string().min(1),
    seconds: z.int().min(1).max(MOST_SECONDS).default(DEFAULT_SECONDS).describe('It is ended after these.'),
  }),
  async run({ command, seconds }, { task }, signal) {
    const [home, tmp] = [join(task.scratch, 'home'), join(task.scratch, 'tmp')];
    for (const folder of [home, tmp]) mkdirSync(folder, { recursive: true });
    const argv = ['/bin/sh', '-c', command] as const;
    const result = await run({
      argv,
      cwd: task.worktree,
      env: baseEnvironment({ home, tmp }),
      timeoutMs: seconds * 1000,
      signal,
      capture: CAPTURE,
      sandbox: sandboxFor(task, argv, false),
    });
    signal.throwIfAborted();
    const { end } = result;
    const how =
      end.kind === 'exit' ? `exit code ${end.code}` : end.kind === 'timeout' ? `ended after ${seconds} s` : end.kind;
    const streams = [result.stdout.text, result.stderr.text].map((text) => text.trim()).filter((text) => text !== '');
    return { text: [how, ...streams].join('\n') };
  },
});
