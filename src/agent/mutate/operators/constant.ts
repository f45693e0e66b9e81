import type { Rng } from '../../../qd/index.ts';
import { byFactor, byNeighbour, type Constant, formatConstant, parseConstant } from '../constant.ts';
import { defineOperator, type Operator } from '../operator.ts';
import { replaceToken } from './token.ts';

/** One loose integer in so many is treated as a float. */
const LOOSE = 8;

function constantOperator(name: string, weight: number, change: (constant: Constant, rng: Rng) => Constant): Operator {
  return defineOperator({
    name,
    weight,
    sites: (source) => source.numbers,
    apply: (span, source, rng) => {
      const constant = parseConstant(source.text.slice(span.start, span.end));
      if (constant === null) return null;
      const loose = source.language?.looseNumbers && constant.prefix + constant.suffix === '' && rng.below(LOOSE) === 0;
      const changed = change(loose ? { ...constant, float: true } : constant, rng);
      return replaceToken(source, span, formatConstant(changed, constant.value), 'constant');
    },
  });
}

/** Half, double, a tenth more: the big steps of a search over constants. */
export const scaleConstant = constantOperator('constant by factor', 2, byFactor);

/** The small steps. */
export const nudgeConstant = constantOperator('constant by neighbourhood', 3, byNeighbour);
