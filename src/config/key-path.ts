/** Where a value stands in the written file: `['evaluator', 'objectives', 1, 'epsilon']`. */
export type KeyPath = readonly (string | number)[];

/** `evaluator.objectives[1].epsilon` */
export function dotted(keys: KeyPath): string {
  return keys.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function valueAt(value: unknown, keys: KeyPath): unknown {
  return keys.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isRecord(inner) ? inner[key] : undefined;
  }, value);
}

/** A copy without the key at `keys`; for something inside a list, without the whole list. */
export function without(value: unknown, keys: KeyPath): unknown {
  const [key, ...rest] = keys;
  if (key === undefined || !isRecord(value) || !Object.hasOwn(value, key)) return value;
  const { [key]: inner, ...others } = value;
  const leaf = rest.length === 0 || (Array.isArray(inner) && rest.length === 1);
  if (leaf) return others;
  if (Array.isArray(inner)) {
    const [index, ...deeper] = rest;
    return { ...others, [key]: inner.map((item, at) => (at === index ? without(item, deeper) : item)) };
  }
  return { ...others, [key]: without(inner, rest) };
}
