import { defineOperator } from '../operator.ts';
import { inGroups, replaceToken } from './token.ts';

/** Another arithmetic, bitwise, logical or assignment operator. */
export const changeOperator = defineOperator({
  name: 'operator',
  weight: 1.5,
  sites: (source) => inGroups(source, source.language?.operators.arithmetic ?? []),
  apply: ({ span, others }, source, rng) => replaceToken(source, span, rng.pick(others), 'operator'),
});
