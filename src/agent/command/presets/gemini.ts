import { z } from 'zod';
import { geminiServer } from '../../process/servers.ts';
import { failed, jsonLines, message, used } from './json-lines.ts';
import { modelArguments, type Preset } from './preset.ts';

const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), role: z.string().optional(), content: z.string() }),
  z.object({ type: z.literal('tool_use'), tool_name: z.string(), parameters: z.unknown().optional() }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);

/** Gemini CLI of Google (tried with 0.61). */
export const gemini: Preset = {
  executable: 'gemini',
  invoke: ({ prompt, model, modelUrl }) => ({
    argv: [...modelArguments('-m', model), '-y', '--skip-trust', '-o', 'stream-json', '-p', prompt],
    env: geminiServer(modelUrl),
  }),
  read: jsonLines(event, (line) => {
    switch (line.type) {
      case 'message':
        return line.role === 'user' ? [] : message(line.content);
      case 'tool_use':
        return used(line.tool_name, line.parameters);
      case 'error':
        return failed(line.message);
    }
  }),
};
