import type OpenAI from 'openai';
import { APIError } from 'openai';
import type { OpenaiConfig } from '../../../config/index.ts';
import type { Tool } from '../tools/index.ts';
import { uniqueIds } from './calls.ts';
import { type Ask, askOf, type Entry, FILTERED, isEndless, type ToolAsk } from './entry.ts';

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
    let characters = 0;
    let last: OpenAI.Responses.Response | null = null;
    for await (const event of stream) {
      if ('delta' in event && typeof event.delta === 'string') characters += event.delta.length;
      if (isEndless(characters, config.outputTokens)) {
        throw new Error(`the answer does not end: ${config.outputTokens} tokens were asked for`);
      }
      if (event.type === 'response.completed' || event.type === 'response.incomplete') last = event.response;
      if (event.type === 'response.output_item.done') native.push(event.item);
      if (event.type === 'response.failed') {
        const { error } = event.response;
        throw new APIError(undefined, error ?? {}, error?.message ?? 'the response failed', undefined);
      }
      if (event.type === 'error') throw new APIError(undefined, event, event.message, undefined);
    }
    if (last === null) throw new Error('the answer broke off');
    const items = withIds(native);
    return { turn: turnOf(items, last.incomplete_details?.reason ?? null), native: items };
  };
}

function functionOf({ name, description, parameters }: Tool): OpenAI.Responses.Tool {
  return { type: 'function', name, description, parameters, strict: false };
}

/** Results go back by the ids of their calls. */
function withIds(items: readonly Output[]): Output[] {
  const calls = items.filter((item) => item.type === 'function_call');
  const ids = uniqueIds(calls.map(({ call_id }) => call_id ?? ''));
  return items.map((item) =>
    item.type === 'function_call' ? { ...item, call_id: ids[calls.indexOf(item)] ?? item.call_id } : item,
  );
}

function turnOf(items: readonly Output[], incomplete: string | null) {
  let text = '';
  let refusal = '';
  const asks: ToolAsk[] = [];
  for (const item of items) {
    if (item.type === 'function_call') asks.push(askOf(item.call_id, item.name, item.arguments));
    if (item.type !== 'message') continue;
    for (const part of item.content) {
      if (part.type === 'output_text') text += part.text;
      else if (part.type === 'refusal') refusal += part.refusal;
    }
  }
  const said = refusal === '' && incomplete === 'content_filter' ? FILTERED : refusal;
  return { text, asks, refusal: said === '' ? null : said, cut: incomplete === 'max_output_tokens' };
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
