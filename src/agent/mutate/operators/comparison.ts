import { defineOperator } from '../operator.ts';
import { inGroups, replaceToken } from './token.ts';

/** Another comparison altogether. */
export const changeComparison = defineOperator({
  name: 'comparison',
  weight: 1,
  sites: (source) => inGroups(source, source.language?.operators.comparison ?? []),
  apply: ({ span, others }, source, rng) => replaceToken(source, span, rng.pick(others), 'comparison'),
});
