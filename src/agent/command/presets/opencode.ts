import { z } from 'zod';
import { openCodeModel, openCodeServer } from '../../process/servers.ts';
import { failed, jsonLines, message, used } from './json-lines.ts';
import type { Preset } from './preset.ts';

const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    part: z.object({ tool: z.string(), state: z.object({ input: z.unknown().optional() }).optional() }),
  }),
  z.object({ type: z.literal('error'), error: z.unknown() }),
]);

/** OpenCode (tried with 1.18), and Kilo, which is made of it. */
function openCodeLike(executable: string, prefix: string): Preset {
  return {
    executable,
    invoke: ({ prompt, model, modelUrl }) => ({
      argv: ['run', '--format', 'json', '--auto', '-m', openCodeModel(model), prompt],
      env: openCodeServer(prefix, model, modelUrl),
    }),
    read: jsonLines(event, (line) => {
      switch (line.type) {
        case 'text':
          return message(line.part.text);
        case 'tool_use':
          return used(line.part.tool, line.part.state?.input);
        case 'error':
          return failed(JSON.stringify(line.error));
      }
    }),
  };
}

export const opencode = openCodeLike('opencode', 'OPENCODE');
export const kilo = openCodeLike('kilo', 'KILO');
