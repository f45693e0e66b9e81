import { describe, expect, it } from 'vitest';
import { measureSyntax } from '../../../src/agent/index.ts';

/** One function with a loop, a branch in it and a choice: a complexity of four wherever it is written. */
const SAMPLES: Readonly<Record<string, string>> = {
  'a.c': 'int f(int n) { int s = 0; while (n > 0) { if (n % 2) s += n; n--; } return s ? s : 1; }\n',
  'a.py':
    'def f(n):\n    s = 0\n    while n > 0:\n        if n % 2:\n            s += n\n        n -= 1\n    return s if s else 1\n',
  'a.js': 'function f(n) { let s = 0; while (n > 0) { if (n % 2) s += n; n--; } return s ? s : 1; }\n',
  'a.ts': 'function f(n: number) { let s = 0; while (n > 0) { if (n % 2) s += n; n--; } return s ? s : 1; }\n',
  'A.java':
    'class A { int f(int n) { int s = 0; while (n > 0) { if (n % 2 == 1) s += n; n--; } return s > 0 ? s : 1; } }\n',
  'a.rs':
    'fn f(mut n: i32) -> i32 { let mut s = 0; while n > 0 { if n % 2 == 1 { s += n; } n -= 1; } if s > 0 { s } else { 1 } }\n',
  'a.go':
    'package a\nfunc f(n int) int {\n\ts := 0\n\tfor n > 0 {\n\t\tif n%2 == 1 {\n\t\t\ts += n\n\t\t}\n\t\tn--\n\t}\n\tif s > 0 {\n\t\treturn s\n\t}\n\treturn 1\n}\n',
};

describe('the measure of a syntax tree', () => {
  it.each(Object.entries(SAMPLES))('finds the same complexity in %s', async (path, text) => {
    expect((await measureSyntax(path, text))?.cyclomatic).toBe(4);
  });

  it('counts named nodes by kind, and how deep they go', async () => {
    expect(await measureSyntax('a.py', 'x = f(1)\n')).toEqual({
      kinds: {
        module: 1,
        expression_statement: 1,
        assignment: 1,
        identifier: 2,
        call: 1,
        argument_list: 1,
        integer: 1,
      },
      depth: 6,
      cyclomatic: 0,
    });
  });

  it('sees an empty file as its root', async () => {
    expect(await measureSyntax('a.c', '')).toEqual({ kinds: { translation_unit: 1 }, depth: 1, cyclomatic: 0 });
  });

  it('is null where there is no grammar', async () => {
    expect(await measureSyntax('README', 'x')).toBeNull();
  });
});
