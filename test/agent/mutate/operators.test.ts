import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadGrammar } from '../../../src/agent/mutate/grammar.ts';
import { languageOf } from '../../../src/agent/mutate/language.ts';
import type { Operator } from '../../../src/agent/mutate/operator.ts';
import { OPERATORS } from '../../../src/agent/mutate/operators/index.ts';
import { readSource } from '../../../src/agent/mutate/source.ts';
import { applyEdits } from '../../../src/agent/mutate/text.ts';
import { rngOf } from '../workshop.ts';
import { LINE_SAMPLE, SAMPLES } from './samples.ts';

/** Parsed from nothing, without the shortcut that the agent takes. */
async function parses(path: string, text: string): Promise<boolean> {
  const language = languageOf(path);
  if (language === null) throw new Error(`no grammar for ${path}`);
  const tree = (await loadGrammar(language)).parser.parse(text);
  try {
    return tree?.rootNode.hasError === false;
  } finally {
    tree?.delete();
  }
}

function inspirationFor(path: string, text: string) {
  const lines = text.split('\n');
  const after = [...lines.slice(0, 5), ...lines.slice(6)].join('\n');
  return { inspirations: [{ ordinal: 7, files: [{ path, before: text, after }] }] };
}

describe.each(Object.entries(SAMPLES))('the operators on %s', (path, text) => {
  it('is given a sample without errors', async () => {
    expect(await parses(path, text)).toBe(true);
  });

  it.each(OPERATORS.map((operator): [string, Operator] => [operator.name, operator]))(
    '%s changes the text, and what is accepted parses',
    async (_name, operator) => {
      const source = await readSource(path, text);
      const mutate = operator.prepare(source, inspirationFor(path, text));
      if (mutate === null) throw new Error('no site');
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0 }), async (seed) => {
          const mutation = mutate(rngOf(seed));
          if (mutation === null) return;
          const after = applyEdits(text, mutation.edits);
          expect(mutation.description).not.toBe('');
          const ok = source.accepts(mutation.edits);
          expect(ok).toBe(await parses(path, after));
          if (ok && after !== text) accepted += 1;
        }),
        { numRuns: 60 },
      );
      if (operator.name !== 'transplant') expect(accepted).toBeGreaterThan(0);
    },
  );
});

describe('the operators without a grammar', () => {
  it('work on lines, numbers and booleans', async () => {
    const source = await readSource('settings.yaml', LINE_SAMPLE);
    const quoted = (spans: readonly { start: number; end: number }[]) =>
      spans.map(({ start, end }) => LINE_SAMPLE.slice(start, end));
    expect(quoted(source.numbers)).toEqual(['0.95', '10', '1e3']);
    expect(quoted(source.booleans)).toEqual(['true']);
    expect(quoted(source.statements)).toEqual(
      LINE_SAMPLE.trimEnd()
        .split('\n')
        .map((line) => line.trim()),
    );
    const names = OPERATORS.filter((operator) => operator.prepare(source, { inspirations: [] }) !== null);
    expect(names.map(({ name }) => name)).toEqual([
      ...['delete', 'copy', 'move', 'swap', 'replace'],
      ...['constant by factor', 'constant by neighbourhood', 'boolean'],
    ]);
  });
});

describe('what an operator does to the text', () => {
  const only = async (name: string, path: string, text: string, seeds = 200) => {
    const source = await readSource(path, text);
    const mutate = OPERATORS.find((operator) => operator.name === name)?.prepare(source, { inspirations: [] });
    const results = new Set<string>();
    for (let seed = 0; seed < seeds; seed += 1) {
      const mutation = mutate?.(rngOf(seed));
      if (mutation && source.accepts(mutation.edits)) results.add(applyEdits(text, mutation.edits));
    }
    return [...results].sort();
  };

  it('delete takes the lines of a statement with it', async () => {
    expect(await only('delete', 'a.js', 'a();\n{\n  b();\n}\n')).toEqual(['a();\n{\n}\n', '{\n  b();\n}\n'].sort());
  });

  it('delete leaves a pass where Python wants a statement', async () => {
    expect(await only('delete', 'a.py', 'def f():\n    g()\n')).toEqual(['def f():\n    pass\n']);
  });

  it('swap and move keep the indentation of the place', async () => {
    const text = 'if a:\n    b()\n    while c:\n        d()\n';
    expect(await only('swap', 'a.py', text)).toEqual(['if a:\n    while c:\n        d()\n    b()\n']);
  });

  it('copies into another depth at that depth', async () => {
    const results = await only('copy', 'a.py', 'if a:\n    while b:\n        c()\nd()\n');
    expect(results).toContain('if a:\n    while b:\n        c()\nd()\nif a:\n    while b:\n        c()\n');
    expect(results).toContain('if a:\n    while b:\n        c()\n        d()\nd()\n');
    expect(results).toContain('if a:\n    while b:\n        c()\nwhile b:\n    c()\nd()\n');
  });

  it('keeps the line ends of Windows', async () => {
    const results = await only('copy', 'a.js', 'a();\r\nb();\r\n');
    expect(results.length).toBeGreaterThan(0);
    for (const text of results) expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('boundary moves a bound in or out and nothing else', async () => {
    expect(await only('boundary', 'a.go', 'package p\nvar a = b < c\nvar d = e == f\n')).toEqual([
      'package p\nvar a = b <= c\nvar d = e == f\n',
    ]);
  });

  it('constants lose their minus without touching the word in front', async () => {
    const results = await only('constant by factor', 'a.js', 'function f() { return-1; }', 400);
    expect(results).toContain('function f() { return 1; }');
  });

  it('offsets are right behind characters of two code units', async () => {
    expect(await only('boundary', 'a.py', 's = "😀é"\nt = a < b\n')).toEqual(['s = "😀é"\nt = a <= b\n']);
  });
});
