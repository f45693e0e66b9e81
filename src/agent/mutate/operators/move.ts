import { defineOperator } from '../operator.ts';
import { insertion, otherStatement, quote, removal } from '../statement.ts';
import { disjoint } from '../text.ts';

export const moveStatement = defineOperator({
  name: 'move',
  weight: 1,
  sites: (source) => source.statements,
  apply: (statement, source, rng) => {
    const place = otherStatement(source, statement, rng);
    if (place === null) return null;
    const out = removal(source, statement);
    const into = insertion(source, statement, place, rng.below(2) === 0);
    if (!disjoint(out, into)) return null;
    return { edits: [out, into], at: place.start, description: `move ${quote(source, statement)}` };
  },
});
