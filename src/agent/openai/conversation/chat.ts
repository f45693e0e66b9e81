import type OpenAI from 'openai';
import type { OpenaiConfig } from '../../../config/index.ts';
import type { Tool } from '../tools/index.ts';
import { type Ask, askOf, type Entry, type Turn } from './entry.ts';

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
    const calls = new Map<number, { id: string; name: string; raw: string }>();
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta;
      text += delta?.content ?? '';
      refusal += delta?.refusal ?? '';
      for (const part of delta?.tool_calls ?? []) {
        const call = calls.get(part.index) ?? { id: '', name: '', raw: '' };
        call.id ||= part.id ?? '';
        call.name += part.function?.name ?? '';
        call.raw += part.function?.arguments ?? '';
        calls.set(part.index, call);
      }
    }
    const asks = [...calls].map(([index, { id, name, raw }]) => askOf(id === '' ? `call_${index}` : id, name, raw));
    return { turn: { text, asks, refusal: refusal === '' ? null : refusal }, native: [] };
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
    // Some servers refuse a conversation in which a call is no JSON, even one of their own making.
    function: { name, arguments: input === undefined ? '{}' : raw === '' ? '{}' : raw },
  }));
  return { role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}
