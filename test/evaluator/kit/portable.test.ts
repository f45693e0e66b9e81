import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const KIT = resolve(import.meta.dirname, '../../../src/evaluator/kit');
const files = readdirSync(KIT).map((name) => [name, readFileSync(join(KIT, name), 'utf8')] as const);

/** The kit is copied into the bundles of campaigns, where there is nothing else of Clade. */
describe('the kit', () => {
  it.each(files)('%s imports only Node and its neighbours', (_, text) => {
    const names = [...text.matchAll(/\bfrom '([^']+)'/g)].map((match) => match[1] ?? '');
    expect(names.filter((name) => !/^(node:[a-z_/]+|\.\/[a-z-]+\.ts)$/.test(name))).toEqual([]);
  });

  it.each(files)('%s is JavaScript when its types are stripped', (_, text) => {
    expect(() => stripTypeScriptTypes(text, { mode: 'strip' })).not.toThrow();
  });
});
