import { defineOperator } from '../operator.ts';
import { insertion, otherStatement, quote } from '../statement.ts';

export const copyStatement = defineOperator({
  name: 'copy',
  weight: 1,
  sites: (source) => source.statements.filter((statement) => statement.copyable),
  apply: (statement, source, rng) => {
    const place = otherStatement(source, statement, rng);
    if (place === null) return null;
    return {
      edits: [insertion(source, statement, place, rng.below(2) === 0)],
      at: place.start,
      description: `copy ${quote(source, statement)}`,
    };
  },
});
