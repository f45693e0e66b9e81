import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hunksBetween, locate, splitLines } from '../../../src/agent/mutate/hunk.ts';
import { applyEdits, lineStarts } from '../../../src/agent/mutate/text.ts';

const texts = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', '\n'), { maxLength: 40 })
  .map((lines) => lines.join(''));

describe('hunksBetween', () => {
  it('leads from one text to the other', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const hunks = hunksBetween(before, after);
        const old = splitLines(before);
        let at = 0;
        let result = '';
        for (const hunk of hunks) {
          result += old.slice(at, hunk.at).join('') + hunk.added.join('');
          at = hunk.at + hunk.removed.length;
          expect(old.slice(hunk.at, at)).toEqual(hunk.removed);
          expect(old.slice(0, hunk.at).slice(-3)).toEqual(hunk.before);
          expect(old.slice(at, at + 3)).toEqual(hunk.behind);
        }
        expect(result + old.slice(at).join('')).toBe(after);
      }),
    );
  });

  it('is one hunk for one changed line, with three lines around it', () => {
    const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
    expect(hunksBetween(before, before.replace('5', 'five'))).toEqual([
      { at: 4, before: ['2\n', '3\n', '4\n'], removed: ['5\n'], added: ['five\n'], behind: ['6\n', '7\n', '8\n'] },
    ]);
  });

  it('gives up on the details of texts that have nothing in common', () => {
    const lines = (word: string) => Array.from({ length: 2_000 }, (_, index) => `${word} ${index}\n`).join('');
    const hunks = hunksBetween(lines('a'), lines('b'));
    expect(hunks).toHaveLength(1);
    expect(hunks[0]?.added).toHaveLength(2_000);
  });
});

describe('locate', () => {
  const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
  const [hunk] = hunksBetween(base, base.replace('four', 'FOUR'));
  const transplant = (text: string) => {
    if (hunk === undefined) throw new Error('no hunk');
    const span = locate(hunk, text, lineStarts(text));
    return span === null ? null : applyEdits(text, [{ ...span, text: hunk.added.join('') }]);
  };

  it('finds the place in a text that differs elsewhere', () => {
    expect(transplant(`zero\n${base}`)).toBe(`zero\n${base.replace('four', 'FOUR')}`);
  });

  it('is content with less context', () => {
    expect(transplant('two\nX\nfour\nY\n')).toBe('two\nX\nFOUR\nY\n');
  });

  it('takes the nearest of several places, but only one that has the context', () => {
    expect(transplant(base + base)).toBe(base.replace('four', 'FOUR') + base);
    expect(transplant('X\nfour\nY\nfour\nZ\n')).toBeNull();
  });

  it('leaves a text alone where the line is gone', () => {
    expect(transplant('one\ntwo\n')).toBeNull();
  });
});
