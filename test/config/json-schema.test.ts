import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { campaignJsonSchema } from '../../src/config/index.ts';
import { knownKeys } from '../../src/config/json-schema.ts';
import { isRecord, valueAt } from '../../src/config/key-path.ts';

const schema = campaignJsonSchema();

/** No further keys, or (a record) any keys of one form. */
function isClosed({ additionalProperties, propertyNames }: Record<string, unknown>): boolean {
  return additionalProperties === false || (isRecord(additionalProperties) && propertyNames !== undefined);
}

describe('the JSON schema', () => {
  it('is the one that is published; `npm run schema` writes it', () => {
    const file = resolve(import.meta.dirname, '../../schema/campaign.schema.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
  });

  it('requires what has no default, and nothing else', () => {
    expect(schema.required).toEqual(['target', 'goal', 'evaluator']);
    expect(valueAt(schema, ['properties', 'target', 'required'])).toEqual(['repository']);
    expect(valueAt(schema, ['properties', 'evaluator', 'required'])).toEqual(['objectives']);
  });

  it('allows no unknown key anywhere', () => {
    const open: string[] = [];
    const visit = (node: unknown, name: string) => {
      if (typeof node !== 'object' || node === null) return;
      if (isRecord(node) && node.type === 'object' && !isClosed(node)) open.push(name);
      for (const [key, inner] of Object.entries(node)) visit(inner, `${name}/${key}`);
    };
    visit(schema, '');
    expect(open).toEqual([]);
  });

  it('accepts a bare kind, and the default kind left out', () => {
    const coder = valueAt(schema, ['properties', 'agents', 'properties', 'coder']);
    expect(valueAt(coder, ['anyOf', 0])).toEqual({ enum: ['mutate'] });
    expect(valueAt(coder, ['anyOf', 1, 'required'])).toBeUndefined();
    expect(valueAt(coder, ['anyOf', 2, 'required'])).toEqual(['kind']);
  });

  it('keeps a key that is called like a word of its metadata', () => {
    const properties = ['properties', 'search', 'properties', 'inspirations', 'properties'];
    expect(valueAt(schema, [...properties, 'fallback', 'default'])).toBe(8);
  });

  it('knows the keys at every place', () => {
    expect(knownKeys(['evaluator', 'objectives', 3], {})).toEqual(['name', 'direction', 'epsilon', 'rank_by']);
    expect(knownKeys(['agents', 'coder'], { agents: { coder: { kind: 'command' } } })).toContain('network');
    expect(knownKeys(['agents', 'coder'], { agents: { coder: {} } })).not.toContain('network');
    expect(knownKeys(['nowhere'], {})).toEqual([]);
  });
});
