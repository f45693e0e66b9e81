import { z } from 'zod';

/** What is used of the agent's answers. The SDK gives them as they come: that they have this form is for the one who asks to check. */
export const initialized = z.object({
  protocolVersion: z.number(),
  authMethods: z.array(z.object({ id: z.string() })).nullish(),
});

const value = z.object({ value: z.string(), name: z.string() });
const option = z.object({
  id: z.string(),
  type: z.string(),
  category: z.string().nullish(),
  currentValue: z.unknown(),
  options: z.array(z.union([value, z.object({ options: z.array(value) })])).nullish(),
});

export type ConfigOption = z.output<typeof option>;

export const sessionMade = z.object({ sessionId: z.string(), configOptions: z.array(option).nullish() });

/** Another reason is one of a later version of the protocol, and an end like `end_turn`. */
export const turnEnded = z.object({ stopReason: z.string() });
