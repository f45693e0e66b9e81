import { z } from 'zod';
import { failed, jsonLines, message, used } from './json-lines.ts';
import { NO_KEY, type Preset } from './preset.ts';

const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    part: z.object({ tool: z.string(), state: z.object({ input: z.unknown().optional() }).optional() }),
  }),
  z.object({ type: z.literal('error'), error: z.unknown() }),
]);

/** OpenCode (tried with 1.18), and Kilo, which is made of it. The project's own configuration is the candidate's, and not obeyed. */
function openCodeLike(executable: string, prefix: string): Preset {
  return {
    executable,
    invoke({ prompt, model, modelUrl }) {
      const name = model ?? 'default';
      const server = {
        npm: '@ai-sdk/openai-compatible',
        name: 'clade',
        options: { baseURL: modelUrl, apiKey: NO_KEY },
        models: { [name]: { name } },
      };
      const config = JSON.stringify({ provider: { clade: server }, share: 'disabled', autoupdate: false });
      return {
        argv: ['run', '--format', 'json', '--auto', '-m', `clade/${name}`, prompt],
        env: { [`${prefix}_CONFIG_CONTENT`]: config, [`${prefix}_DISABLE_PROJECT_CONFIG`]: '1' },
      };
    },
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
