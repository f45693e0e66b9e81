/** Faults 18: calls of tools as loosely as servers that say they are compatible stream them. */
import { expect, test } from 'vitest';
import { createCalls, textOf } from '../../src/agent/openai/conversation/calls.ts';

const part = (index: number | undefined, id: string | undefined, name?: string, input?: unknown) => ({
  ...{ index, id },
  function: { name, arguments: input },
});

test.each<[string, object[], [string, unknown][]]>([
  ['in pieces', [part(0, 'a', 'one', '{"x"'), part(0, undefined, undefined, ':1}')], [['one', { x: 1 }]]],
  ['with the name in every piece', [part(0, 'a', 'one', '{'), part(0, 'a', 'one', '}')], [['one', {}]]],
  [
    'all with the number 0',
    [part(0, 'a', 'one', '{}'), part(0, 'b', 'two', '{}')],
    [
      ['one', {}],
      ['two', {}],
    ],
  ],
  [
    'without numbers',
    [part(undefined, 'a', 'one', ''), part(undefined, 'b', 'two', '')],
    [
      ['one', {}],
      ['two', {}],
    ],
  ],
  ['with arguments that are no text', [part(0, 'a', 'one', { x: 1 })], [['one', { x: 1 }]]],
  [
    'with nothing in them',
    [{}, { index: 1, function: null }],
    [
      ['', {}],
      ['', {}],
    ],
  ],
])('%s', (_name, parts, wanted) => {
  const calls = createCalls();
  for (const each of parts) calls.take(each);
  const asks = calls.asks();
  expect(asks.map(({ name, input }) => [name, input])).toEqual(wanted);
  expect(new Set(asks.map(({ id }) => id)).size).toBe(asks.length);
  expect(asks.every(({ id }) => id !== '')).toBe(true);
});

test('text is a text or the texts of parts, and nothing else', () => {
  expect(['a', [{ type: 'text', text: 'b' }, { type: 'image' }, null], { text: 'c' }, 7, null].map(textOf)).toEqual([
    ...['a', 'b', '', '', ''],
  ]);
});
