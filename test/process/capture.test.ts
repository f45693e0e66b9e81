import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCapture } from '../../src/process/capture.ts';

function captureOf(chunks: readonly Uint8Array[], head: number, tail: number) {
  const capture = createCapture(head, tail);
  for (const chunk of chunks) capture.push(chunk);
  return capture.read();
}

describe('a capture', () => {
  test('keeps everything that fits', () => {
    expect(captureOf([Buffer.from('abc'), Buffer.from('def')], 3, 3)).toEqual({
      text: 'abcdef',
      bytes: 6,
      truncated: false,
    });
  });

  test('keeps head and tail and says how much is missing', () => {
    const { text, bytes, truncated } = captureOf([Buffer.from('0123456789')], 3, 2);
    expect(text).toBe('012\n… 5 bytes left out …\n89');
    expect([bytes, truncated]).toEqual([10, true]);
  });

  test('does not cut characters in two', () => {
    const { text } = captureOf([Buffer.from('ééééé')], 3, 3);
    expect(text).toBe('é\n… 4 bytes left out …\né');
  });

  test('replaces NUL and what is not UTF-8', () => {
    expect(captureOf([Buffer.from([0x61, 0, 0xff, 0x62])], 10, 10).text).toBe('a\uFFFD\uFFFDb');
  });

  test('equals slicing the whole, however the bytes were cut into chunks', () => {
    const ascii = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(ascii, fc.nat(30), fc.nat(30), (parts, head, tail) => {
        const whole = parts.join('');
        const left = whole.length - head - tail;
        const end = tail === 0 ? '' : whole.slice(-tail);
        const expected = left <= 0 ? whole : `${whole.slice(0, head)}\n… ${left} bytes left out …\n${end}`;
        expect(
          captureOf(
            parts.map((part) => Buffer.from(part)),
            head,
            tail,
          ).text,
        ).toBe(expected);
      }),
    );
  });
});
