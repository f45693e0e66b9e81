import { chat, embeddings } from './chat.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import type { Wire } from './wire.ts';

const WIRES: readonly Wire[] = [responses, chat, embeddings, messages, gemini];

/** The protocol of a request by its path relative to the provider's base; undefined: nobody knows what it would cost. */
export function wireOf(path: string): Wire | undefined {
  return WIRES.find((wire) => wire.matches(path));
}
