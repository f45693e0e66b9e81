import { z } from 'zod';
import { type Tool, ToolError, type ToolParts } from './tool.ts';

/** A tool of its parts: what the model writes is checked against `input`, from which the model's schema is made. */
export function defineTool<Input extends z.ZodType>({ name, description, input, run }: ToolParts<Input>): Tool {
  const { $schema: _schema, ...parameters } = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    description,
    parameters,
    run(written, desk, signal) {
      const parsed = input.safeParse(written);
      if (!parsed.success) throw new ToolError(`${name}: ${z.prettifyError(parsed.error)}`);
      return run(parsed.data, desk, signal);
    },
  };
}
