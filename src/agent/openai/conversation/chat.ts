import type OpenAI from 'openai';
import type { OpenaiConfig } from '../../../config/index.ts';
import type { Tool } from '../tools/index.ts';
import { createCalls, textOf } from './calls.ts';
import { type Ask, type Entry, FILTERED, isEndless, type Turn } from './entry.ts';

/** What a tool may be called. */
const NAME = /^[\w-]{1,64}$/;

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** Asks by Chat Completions, streaming: a server that streams shows that it is alive. */
export function askByChat(client: OpenAI, config: OpenaiConfig, system: string, tools: readonly Tool[]): Ask {
  return async (entries, signal) => {
    const stream = await client.chat.completions.create(
      {
        model: config.model,
        messages: [{ role: 'system', content: system }, ...entries.map(messageOf)],
        stream: true,
        stream_options: { include_usage: true },
        max_completion_tokens: config.outputTokens,
        ...(config.temperature === null ? {} : { temperature: config.temperature }),
        ...(config.reasoning === null ? {} : { reasoning_effort: config.reasoning }),
        ...(tools.length === 0 ? {} : { tools: tools.map(functionOf) }),
      },
      { signal },
    );
    let text = '';
    let refusal = '';
    let finish: string | null = null;
    const calls = createCalls();
    for await (const { choices } of stream) {
      // Servers say of themselves that they are compatible: nothing of what they send is taken for granted.
      const choice = Array.isArray(choices) ? choices[0] : undefined;
      const delta = choice?.delta;
      text += textOf(delta?.content);
      refusal += textOf(delta?.refusal);
      for (const part of Array.isArray(delta?.tool_calls) ? delta.tool_calls : []) calls.take(part);
      finish = choice?.finish_reason ?? finish;
      if (isEndless(text.length + refusal.length + calls.characters, config.outputTokens)) {
        throw new Error(`the answer does not end: ${config.outputTokens} tokens were asked for`);
      }
    }
    if (finish === null || finish === 'error') throw new Error('the answer has no end, or no choice in it');
    const said = refusal === '' && finish === 'content_filter' ? FILTERED : refusal;
    const turn = { text, asks: calls.asks(), refusal: said === '' ? null : said, cut: finish === 'length' };
    return { turn, native: [] };
  };
}

function functionOf({ name, description, parameters }: Tool) {
  return { type: 'function' as const, function: { name, description, parameters } };
}

function messageOf(entry: Entry): Message {
  switch (entry.kind) {
    case 'user':
      return { role: 'user', content: entry.text };
    case 'result':
      return { role: 'tool', tool_call_id: entry.id, content: entry.text };
    case 'turn':
      return turnMessage(entry.turn);
  }
}

function turnMessage({ text, asks }: Turn): Message {
  const calls = asks.map(({ id, name, raw, input }) => ({
    id,
    type: 'function' as const,
    // Some servers refuse a conversation in which a call is no JSON or has no good name, even one of their own making.
    function: {
      name: NAME.test(name) ? name : 'unknown',
      arguments: input === undefined ? '{}' : raw === '' ? '{}' : raw,
    },
  }));
  return { role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}
