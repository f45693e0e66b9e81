import { z } from 'zod';
import { CODEX_ENVIRONMENT, CODEX_SERVER, codexServer } from '../../process/servers.ts';
import { failed, jsonLines, message, used } from './json-lines.ts';
import { modelArguments, type Preset } from './preset.ts';

const item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({ type: z.literal('command_execution'), command: z.string(), exit_code: z.number().nullish() }),
  z.object({ type: z.literal('file_change'), changes: z.array(z.object({ path: z.string(), kind: z.string() })) }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('item.completed'), item }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
]);

/** Codex of OpenAI (tried with 0.171). Its own sandbox is off: nested ones fail silently, and ours is around it. */
export const codex: Preset = {
  executable: 'codex',
  invoke({ prompt, worktree, model, modelUrl }) {
    const settings = Object.entries(codexServer(modelUrl)).map(
      ([key, value]) => `model_providers.${CODEX_SERVER}.${key}=${JSON.stringify(value)}`,
    );
    return {
      argv: [
        ...['exec', '--json', '--ephemeral', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
        ...['-c', `model_provider=${JSON.stringify(CODEX_SERVER)}`, ...settings.flatMap((setting) => ['-c', setting])],
        ...modelArguments('-m', model),
        ...['-C', worktree, prompt],
      ],
      env: CODEX_ENVIRONMENT,
    };
  },
  read: jsonLines(event, (line) => {
    if (line.type === 'turn.failed') return failed(line.error.message);
    const { item: done } = line;
    switch (done.type) {
      case 'agent_message':
        return message(done.text);
      case 'command_execution':
        return used(`command (exit code ${done.exit_code ?? '?'})`, done.command);
      case 'file_change':
        return done.changes.map(({ path, kind }) => ({ type: 'edit', path, description: kind }));
      case 'error':
        return message(`error: ${done.message}`);
    }
  }),
};
