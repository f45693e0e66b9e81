import type { z } from 'zod';
import type { Desk } from '../desk.ts';

/** What came of a tool: text for the model. `edited` names files that it changed; with `finished` the work is done. */
export interface ToolResult {
  readonly text: string;
  readonly edited?: readonly string[];
  readonly finished?: { readonly title: string; readonly summary: string };
}

/** One thing that the model can do. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input. */
  readonly parameters: Record<string, unknown>;
  /** Takes what the model wrote, valid or not. @throws ToolError for what the model should be told */
  readonly run: (input: unknown, desk: Desk, signal: AbortSignal) => Promise<ToolResult>;
}

/** The model asked for something that cannot be done; the message tells it why. */
export class ToolError extends Error {}

export interface ToolParts<Input extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly run: (input: z.output<Input>, desk: Desk, signal: AbortSignal) => Promise<ToolResult>;
}
