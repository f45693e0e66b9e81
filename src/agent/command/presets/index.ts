/** Known coding agents: how each is called, configured and read. One file an agent. */
import type { CommandConfig } from '../../../config/index.ts';
import { aider } from './aider.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { kilo, opencode } from './opencode.ts';
import type { Preset } from './preset.ts';

export type { Preset, PresetTask } from './preset.ts';

export const PRESETS: Readonly<Record<NonNullable<CommandConfig['preset']>, Preset>> = {
  ...{ aider, claude, codex, gemini, kilo, opencode },
};
