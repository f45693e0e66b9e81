import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, disjoint, lineAt, lineStarts, wholeLines } from '../../../src/agent/mutate/text.ts';

describe('edits', () => {
  it('leave everything outside their ranges as it was', () => {
    const pieces = fc.array(fc.record({ keep: fc.string({ minLength: 1 }), old: fc.string(), text: fc.string() }));
    fc.assert(
      fc.property(pieces, fc.string(), (parts, last) => {
        let before = '';
        const edits = parts.map(({ keep, old, text }) => {
          before += keep + old;
          return { start: before.length - old.length, end: before.length, text };
        });
        const after = parts.map(({ keep, text }) => keep + text).join('') + last;
        expect(applyEdits(before + last, edits.toReversed())).toBe(after);
      }),
    );
  });

  it('are refused when they overlap', () => {
    const edit = (start: number, end: number) => ({ start, end, text: '' });
    expect(() => applyEdits('abcdef', [edit(0, 3), edit(2, 4)])).toThrow(RangeError);
    expect(disjoint({ start: 0, end: 2 }, { start: 2, end: 2 })).toBe(true);
    expect(disjoint({ start: 2, end: 2 }, { start: 2, end: 2 })).toBe(false);
    expect(disjoint({ start: 2, end: 2 }, { start: 2, end: 5 })).toBe(false);
  });
});

describe('lines', () => {
  it('are found for every offset', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '😀')), (parts) => {
        const text = parts.join('');
        const starts = lineStarts(text);
        for (let offset = 0; offset <= text.length; offset += 1) {
          expect(lineAt(starts, offset)).toBe(text.slice(0, offset).split('\n').length - 1);
        }
      }),
    );
  });

  it('are whole only when nothing else stands on them', () => {
    expect(wholeLines('a\n  b;\nc', { start: 4, end: 6 })).toEqual({ start: 2, end: 7 });
    expect(wholeLines('a; b;', { start: 3, end: 5 })).toBeNull();
    expect(wholeLines('b; // why\n', { start: 0, end: 2 })).toBeNull();
  });
});
