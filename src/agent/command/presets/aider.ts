import { NO_KEY } from '../../process/servers.ts';
import { message } from './json-lines.ts';
import type { Preset } from './preset.ts';

/** Aider, from its documentation; it prints text. */
export const aider: Preset = {
  executable: 'aider',
  invoke: ({ promptFile, model, modelUrl }) => ({
    argv: [
      ...['--message-file', promptFile, '--yes-always', '--no-auto-commits', '--no-git', '--no-check-update'],
      ...(model === null ? [] : ['--model', `openai/${model}`]),
    ],
    env: { OPENAI_API_BASE: modelUrl, OPENAI_API_KEY: NO_KEY, AIDER_ANALYTICS: 'false' },
  }),
  read: message,
};
