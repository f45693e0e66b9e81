import { defineOperator } from '../operator.ts';
import { replaceToken } from './token.ts';

const OPPOSITE: ReadonlyMap<string, string> = new Map([
  ['true', 'false'],
  ['false', 'true'],
  ['True', 'False'],
  ['False', 'True'],
]);

export const flipBoolean = defineOperator({
  name: 'boolean',
  weight: 0.5,
  sites: (source) => source.booleans,
  apply: (span, source) => {
    const opposite = OPPOSITE.get(source.text.slice(span.start, span.end));
    return opposite === undefined ? null : replaceToken(source, span, opposite, 'flip');
  },
});
