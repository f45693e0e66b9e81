import { z } from 'zod';

const location = z.object({ path: z.string() });
const tool = z.object({
  toolCallId: z.string(),
  title: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  locations: z.array(location).nullish(),
  content: z.array(z.looseObject({ type: z.string(), path: z.string().optional() })).nullish(),
});
const chunk = z.object({
  content: z.looseObject({ type: z.string(), text: z.string().optional() }),
  messageId: z.string().nullish(),
});

/** The updates of a session that say something; the rest (modes, commands, usage and what is to come) does not have this form. */
const notification = z.object({
  update: z.discriminatedUnion('sessionUpdate', [
    chunk.extend({ sessionUpdate: z.literal('agent_message_chunk') }),
    chunk.extend({ sessionUpdate: z.literal('agent_thought_chunk') }),
    tool.extend({ sessionUpdate: z.literal('tool_call') }),
    tool.extend({ sessionUpdate: z.literal('tool_call_update') }),
    z.object({
      sessionUpdate: z.literal('plan'),
      entries: z.array(z.object({ content: z.string(), status: z.string().optional() })),
    }),
  ]),
});

export type Update = z.output<typeof notification>['update'];
export type ToolUpdate = z.output<typeof tool>;

/** Null for one that says nothing. */
export function readUpdate(params: unknown): Update | null {
  return notification.safeParse(params).data?.update ?? null;
}
