import { describe, expect, it } from 'vitest';
import { SourceCache } from '../../../src/agent/mutate/cache.ts';

const text = (name: string) => `${name}(1 < 2);\n`.padEnd(100, '/');

describe('the cache of sources', () => {
  it('gives the same source for the same path and text', async () => {
    const cache = new SourceCache(1_000);
    using one = cache.lease();
    using two = cache.lease();
    const [first, second] = await Promise.all([one.get('a.js', text('a')), two.get('a.js', text('a'))]);
    expect(second).toBe(first);
    expect(await one.get('b.js', text('a'))).not.toBe(first);
    expect(await one.get('a.js', text('b'))).not.toBe(first);
  });

  it('drops the least used beyond its size, but nothing that is held', async () => {
    const cache = new SourceCache(250);
    using holder = cache.lease();
    const held = await holder.get('held.js', text('held'));
    for (const name of ['a', 'b', 'c', 'd']) {
      using lease = cache.lease();
      await lease.get(`${name}.js`, text(name));
    }
    expect(cache.characters).toBe(200);
    expect(held.accepts([{ start: 0, end: 0, text: 'if (' }])).toBe(false);
    expect(held.accepts([{ start: 0, end: 0, text: 'more();' }])).toBe(true);
    expect(await holder.get('held.js', text('held'))).toBe(held);
  });
});
