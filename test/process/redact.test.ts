import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactor } from '../../src/process/index.ts';

const SECRET = 'sk-9f/3+Kä "q"%(x)*!';

describe('a redactor', () => {
  const redact = redactor([SECRET, 'short', 'other-secret\n']);

  test.each([
    ['as it is', SECRET],
    ['as JSON', JSON.stringify({ key: SECRET })],
    ['in a URL', `https://x/?key=${encodeURIComponent(SECRET)}&b`],
    ['in a form', new URLSearchParams({ key: SECRET }).toString()],
    ['with small hexadecimal digits', encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
    ['as base64', Buffer.from(SECRET).toString('base64')],
    ['as base64url', Buffer.from(SECRET).toString('base64url')],
    ['in an Authorization header', `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`],
  ])('finds a secret %s', (_, text) => {
    expect(redact(`before ${text} after`)).toMatch(/^before .*\[redacted\].* after$/);
  });

  test('leaves no character of it in base64', () => {
    const encoded = Buffer.from(SECRET).toString('base64');
    expect(redact(encoded)).toBe('[redacted]');
    expect(redact(Buffer.from(`u:${SECRET}`).toString('base64'))).toBe('dT[redacted]');
  });

  test('replaces every occurrence, and the longer of two secrets', () => {
    expect(redactor(['abcdefgh', 'abcdefgh-ijkl'])('abcdefgh-ijkl abcdefgh')).toBe('[redacted] [redacted]');
  });

  test('knows a secret without the newline of its file', () => {
    expect(redact('x other-secret y')).toBe('x [redacted] y');
  });

  test('leaves other text and short values alone', () => {
    const text = 'short sk-9f other secret .* [redacted';
    expect(redact(text)).toBe(text);
    expect(redactor([])('anything')).toBe('anything');
  });

  test('finds any secret, whatever stands around it in base64', () => {
    const secret = fc
      .string({ minLength: 8, maxLength: 60, unit: 'grapheme' })
      .filter((text) => text.trim().length >= 8);
    fc.assert(
      fc.property(secret, fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (value, before, after) => {
        const text = redactor([value])(Buffer.from(before + value + after).toString('base64'));
        const core = Buffer.from(value)
          .toString('base64')
          .replace(/.{0,2}=*$/, '');
        expect(text).toContain('[redacted]');
        if (before === '') expect(text).not.toContain(core);
      }),
    );
  });
});
