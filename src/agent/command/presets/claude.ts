import { z } from 'zod';
import { NO_KEY } from '../../process/servers.ts';
import { failed, jsonLines, message, used } from './json-lines.ts';
import { modelArguments, type Preset } from './preset.ts';

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown().optional() }),
  z.object({ type: z.string() }),
]);
const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('assistant'), message: z.object({ content: z.array(part) }) }),
  z.object({ type: z.literal('result'), is_error: z.boolean().optional(), result: z.string().optional() }),
]);

/** Claude Code of Anthropic (tried with 2.1). As root it asks for `IS_SANDBOX` before it lets its permissions be bypassed. */
export const claude: Preset = {
  executable: 'claude',
  invoke: ({ prompt, model, modelUrl }) => ({
    argv: [
      ...['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
      ...modelArguments('--model', model),
      prompt,
    ],
    env: {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: NO_KEY,
      IS_SANDBOX: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }),
  read: jsonLines(event, (line) => {
    if (line.type === 'result')
      return line.is_error === true ? failed(line.result ?? 'no reason given') : message(line.result);
    return line.message.content.flatMap((each) => {
      if ('text' in each) return message(each.text);
      return 'name' in each ? used(each.name, each.input) : [];
    });
  }),
};
