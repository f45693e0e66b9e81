import { defineOperator } from '../operator.ts';
import { otherStatement, quote, textAt } from '../statement.ts';

export const replaceStatement = defineOperator({
  name: 'replace',
  weight: 1,
  sites: (source) => source.statements,
  apply: (statement, source, rng) => {
    const donor = otherStatement(source, statement, rng);
    if (donor === null || !donor.copyable) return null;
    return {
      edits: [{ start: statement.start, end: statement.end, text: textAt(source, donor, statement) }],
      at: statement.start,
      description: `replace ${quote(source, statement)} by ${quote(source, donor)}`,
    };
  },
});
