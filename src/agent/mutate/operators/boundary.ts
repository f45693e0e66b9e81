import { defineOperator } from '../operator.ts';
import { replaceToken } from './token.ts';

const COUNTERPART: ReadonlyMap<string, string> = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);

/** The same comparison with its bound in or out. */
export const moveBoundary = defineOperator({
  name: 'boundary',
  weight: 1,
  sites: (source) =>
    source.operators.flatMap((span) => {
      const counterpart = COUNTERPART.get(source.text.slice(span.start, span.end));
      return counterpart === undefined ? [] : [{ span, counterpart }];
    }),
  apply: ({ span, counterpart }, source) => replaceToken(source, span, counterpart, 'boundary'),
});
