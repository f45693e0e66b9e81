import type { TokenUsage } from '../usage.ts';

/** What a request says of itself. */
export interface CallShape {
  readonly model: string | null;
  /** The most that it lets the model write; null when it sets no limit. */
  readonly maxOutputTokens: number | null;
}

/** One protocol of model servers, as far as metering it goes. Bytes are never changed. */
export interface Wire {
  readonly name: 'responses' | 'chat' | 'embeddings' | 'messages' | 'gemini';
  /** The header that carries the key, and the key in its form. */
  readonly auth: (key: string) => readonly [name: string, value: string];
  /** Whether a request to this path, relative to the provider's base, is of this protocol. */
  readonly matches: (path: string) => boolean;
  readonly shapeOf: (path: string, body: unknown) => CallShape;
  /** The usage in a whole answer, null when there is none. */
  readonly usageOf: (answer: unknown) => TokenUsage | null;
  /** The usage known after one more event of a stream. */
  readonly fold: (known: TokenUsage | null, event: unknown) => TokenUsage | null;
}

export const bearer = (key: string): readonly [string, string] => ['authorization', `Bearer ${key}`];
