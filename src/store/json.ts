/** What a `jsonb` column may hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

declare const jsonText: unique symbol;
/** Strict JSON text. Only {@link toJson} builds it, so nothing else can reach a JSON column. */
export type JsonText = string & { readonly [jsonText]: true };

/**
 * Strict JSON of a value, fit for a `jsonb` column: a key whose value is `undefined` is left out, text is made
 * {@link storable}.
 *
 * @throws TypeError on NaN, an infinity, a bigint, a function, a symbol, or an instance of a class (`JSON.stringify` would turn
 * the first two into `null` and a Map into `{}`, and the loss would be seen days later).
 */
export function toJson(value: unknown): JsonText {
  check(value, '$');
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part)) as JsonText;
}

/** Text that both databases take: PostgreSQL knows neither NUL nor a lone surrogate, each becomes U+FFFD. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function check(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${path} is ${value}, which JSON cannot hold`);
    return;
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      check(item, `${path}[${index}]`);
    });
    return;
  }
  if (typeof value !== 'object') throw new TypeError(`${path} is of type ${typeof value}, which JSON cannot hold`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${path} is an instance of a class, JSON holds plain objects only`);
  }
  for (const [key, item] of Object.entries(value)) if (item !== undefined) check(item, `${path}.${key}`);
}
