import { defineOperator } from '../operator.ts';
import { otherStatement, quote, textAt } from '../statement.ts';

/** Within one block only: across blocks a swap is two replacements, and seldom compiles. */
export const swapStatements = defineOperator({
  name: 'swap',
  weight: 1,
  sites: (source) => source.statements,
  apply: (one, source, rng) => {
    const other = otherStatement(source, one, rng, true);
    if (other === null) return null;
    return {
      edits: [
        { start: one.start, end: one.end, text: textAt(source, other, one) },
        { start: other.start, end: other.end, text: textAt(source, one, other) },
      ],
      at: Math.min(one.start, other.start),
      description: `swap ${quote(source, one)} with ${quote(source, other)}`,
    };
  },
});
