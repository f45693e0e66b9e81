import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chunk, chunk } from '../../src/embedding/index.ts';

const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '}',
    '  }',
    'int f(void) {',
    '    return 1;',
    '  // why',
    '#endif',
    'a,',
    'x = 1;',
    '\t\tgo();\r',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\n', ' ')),
);
const file = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 800, size: 'max' }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''))
  .filter((text) => text !== '');

function lineTexts(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The first line of every chunk that the one before does not hold, as line numbers. */
function cuts(chunks: readonly Chunk[]): number[] {
  return chunks.slice(0, -1).map(({ startLine, lines }) => startLine + lines);
}

describe('chunks', () => {
  it('cover every line in order, within the bounds, with an overlap of eight', () => {
    fc.assert(
      fc.property(file, (text) => {
        const lines = lineTexts(text);
        const { chunks, droppedLines } = chunk(text);
        expect(droppedLines).toBe(0);
        let next = 0;
        for (const [index, part] of chunks.entries()) {
          expect(part.startLine).toBe(index === 0 ? 0 : next - 8);
          expect(part.lines).toBeLessThanOrEqual(80);
          expect(part.lines).toBeGreaterThanOrEqual(Math.min(20, lines.length));
          expect(part.text).toBe(lines.slice(part.startLine, part.startLine + part.lines).join(''));
          next = part.startLine + part.lines;
        }
        expect(next).toBe(lines.length);
      }),
    );
  });

  it('are at most 64, and the tail that they leave out is counted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 64 * 72, max: 7000 }), fc.integer({ min: 1, max: 40 }), (count, every) => {
        const lines = Array.from({ length: count }, (_, index) => (index % every === 0 ? '' : `step(${index});`));
        const { chunks, droppedLines } = chunk(lines.map((text) => `${text}\n`).join(''));
        const last = chunks.at(-1);
        expect(chunks.length).toBeLessThanOrEqual(64);
        expect((last?.startLine ?? 0) + (last?.lines ?? 0) + droppedLines).toBe(count);
        if (count > 64 * 80) expect(droppedLines).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  });

  it('keep a short file whole, whatever it looks like', () => {
    expect(chunk('a\n\nb').chunks).toEqual([{ text: 'a\n\nb', startLine: 0, lines: 3 }]);
    expect(chunk('x'.repeat(100_000)).chunks).toHaveLength(1);
  });

  it('end after a blank line between functions of C', () => {
    const body = Array.from({ length: 21 }, (_, index) => `    x += ${index};`);
    const text = Array.from({ length: 12 }, (_, n) => [
      `/* Adds ${n}. */`,
      `int f${n}(int x)`,
      '{',
      ...body,
      '}',
      '',
    ]).flat();
    for (const cut of cuts(chunk(text.join('\n')).chunks)) {
      expect(text[cut - 1]).toBe('');
      expect(text[cut]).toMatch(/^\/\*/);
    }
  });

  it('end between functions of Python, never after a decorator, a comment or a def', () => {
    const text = Array.from({ length: 60 }, (_, n) => [
      `@cache`,
      `# Number ${n}`,
      `def f${n}(x):`,
      `    if x:`,
      `        return ${n}`,
    ]).flat();
    const found = cuts(chunk(text.join('\n')).chunks);
    expect(found.length).toBeGreaterThan(2);
    for (const cut of found) expect(text[cut]).toBe('@cache');
  });

  it('do not part a heading of Markdown from its paragraph', () => {
    const text = Array.from({ length: 80 }, (_, n) => [`## Part ${n}`, '', `Says ${n}.`, '']).flat();
    for (const cut of cuts(chunk(text.join('\n')).chunks)) expect(text[cut]).toMatch(/^## /);
  });

  it('never part a header from its body while there is another place', () => {
    const statement = fc.constantFrom('go();', 'x = 1;', '');
    const block = fc
      .tuple(
        fc.constantFrom('if (x) {', 'while (x)\n{', 'else if (y) {'),
        fc.array(statement, { minLength: 1, maxLength: 6 }),
      )
      .map(([head, body]) => [...head.split('\n'), ...body.map((text) => (text === '' ? '' : `  ${text}`)), '}']);
    fc.assert(
      fc.property(fc.array(block, { minLength: 30, maxLength: 80, size: 'max' }), (blocks) => {
        const text = blocks.flat();
        for (const cut of cuts(chunk(text.join('\n')).chunks)) {
          const above = text.slice(0, cut).findLast((content) => content !== '') ?? '';
          expect(above).not.toMatch(/[{)]$/);
        }
      }),
    );
  });

  it('take a file of half a million line breaks', () => {
    expect(chunk('\n'.repeat(500_000)).droppedLines).toBeGreaterThan(490_000);
  });
});
