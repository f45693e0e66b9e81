/** Shorter values are words that texts are full of. */
const MIN_LENGTH = 8;
const REDACTED = '[redacted]';

/**
 * A function that replaces every one of the secrets in a text by `[redacted]`, in plain, JSON, URL (percent) and base64
 * form, the last also within a longer base64 text, such as that of `user:secret`. Values of fewer than 8 characters are left
 * alone. Other encodings, and secrets cut in two, it does not see.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const values = new Set(
    secrets.flatMap((secret) => [secret, secret.trim()]).filter((value) => value.length >= MIN_LENGTH),
  );
  const patterns = [...values].flatMap(formsOf).sort((a, b) => b.length - a.length);
  if (patterns.length === 0) return (text) => text;
  const any = new RegExp([...new Set(patterns)].join('|'), 'g');
  return (text) => text.replace(any, REDACTED);
}

/** Patterns of all forms of one secret. */
function formsOf(secret: string): string[] {
  const json = literal(JSON.stringify(secret).slice(1, -1));
  return [inUrl(secret), json, ...[0, 1, 2].flatMap((offset) => inBase64(secret, offset))];
}

/** Each character as it is or percent-encoded: what is encoded differs from one program to the next. */
function inUrl(secret: string): string {
  return Array.from(secret.toWellFormed(), (character) => {
    const hex = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
    const encoded = hex.map((digits) => `%(?:${digits}|${digits.toUpperCase()})`).join('');
    return `(?:${literal(character)}|${encoded}${character === ' ' ? '|\\+' : ''})`;
  }).join('');
}

/**
 * The secret as it looks in base64 (RFC 4648, both alphabets) `offset` bytes into a group of three. A character that holds
 * bits of the secret and of its neighbour can be any.
 */
function inBase64(secret: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const from = Math.ceil((offset * 8) / 6);
  const to = Math.floor((bytes.length * 8) / 6);
  const core = bytes.toString('base64').slice(from, to);
  const before = offset === 0 ? '' : '[A-Za-z0-9+/_-]?';
  const after = (bytes.length * 8) % 6 === 0 ? '' : '(?:[A-Za-z0-9+/_-]={0,2})?';
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')].map((text) => `${before}${literal(text)}${after}`);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
