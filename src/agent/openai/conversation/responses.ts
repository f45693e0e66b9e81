import type OpenAI from 'openai';
import type { OpenaiConfig } from '../../../config/index.ts';
import type { Tool } from '../tools/index.ts';
import { type Ask, askOf, type Entry, type ToolAsk } from './entry.ts';

type Item = OpenAI.Responses.ResponseInputItem;
type Output = OpenAI.Responses.ResponseOutputItem;

/** Asks by the Responses interface, streaming. Nothing is kept by the server: the whole conversation goes with every request. */
export function askByResponses(client: OpenAI, config: OpenaiConfig, system: string, tools: readonly Tool[]): Ask {
  return async (entries, signal) => {
    const stream = await client.responses.create(
      {
        model: config.model,
        instructions: system,
        input: entries.flatMap(itemsOf),
        stream: true,
        store: false,
        max_output_tokens: config.outputTokens,
        ...(config.temperature === null ? {} : { temperature: config.temperature }),
        ...(config.reasoning === null
          ? {}
          : { reasoning: { effort: config.reasoning }, include: ['reasoning.encrypted_content' as const] }),
        ...(tools.length === 0 ? {} : { tools: tools.map(functionOf) }),
      },
      { signal },
    );
    const native: Output[] = [];
    for await (const event of stream) {
      if (event.type === 'response.output_item.done') native.push(event.item);
      if (event.type === 'response.failed') throw new Error(event.response.error?.message ?? 'the response failed');
      if (event.type === 'error') throw new Error(event.message);
    }
    return { turn: turnOf(native), native };
  };
}

function functionOf({ name, description, parameters }: Tool): OpenAI.Responses.Tool {
  return { type: 'function', name, description, parameters, strict: false };
}

function turnOf(items: readonly Output[]) {
  let text = '';
  let refusal = '';
  const asks: ToolAsk[] = [];
  for (const item of items) {
    if (item.type === 'function_call') asks.push(askOf(item.call_id, item.name, item.arguments));
    if (item.type !== 'message') continue;
    for (const part of item.content) {
      if (part.type === 'output_text') text += part.text;
      else refusal += part.refusal;
    }
  }
  return { text, asks, refusal: refusal === '' ? null : refusal };
}

function itemsOf(entry: Entry): Item[] {
  switch (entry.kind) {
    case 'user':
      return [{ role: 'user', content: entry.text }];
    case 'result':
      return [{ type: 'function_call_output', call_id: entry.id, output: entry.text }];
    case 'turn':
      // They are what `askByResponses` was given, and go back as they came.
      return entry.native as Item[];
  }
}
