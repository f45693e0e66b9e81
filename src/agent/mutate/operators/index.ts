/**
 * The mutation operators, one a file; their order is part of what a seed means.
 *
 * - delete, copy, move, swap, replace: statements
 * - arithmetic, comparison, boundary: operator tokens
 * - constant: numbers, by factor and by neighbourhood; boolean
 * - transplant: hunks of the inspirations
 */

import type { Operator } from '../operator.ts';
import { changeOperator } from './arithmetic.ts';
import { flipBoolean } from './boolean.ts';
import { moveBoundary } from './boundary.ts';
import { changeComparison } from './comparison.ts';
import { nudgeConstant, scaleConstant } from './constant.ts';
import { copyStatement } from './copy.ts';
import { deleteStatement } from './delete.ts';
import { moveStatement } from './move.ts';
import { replaceStatement } from './replace.ts';
import { swapStatements } from './swap.ts';
import { transplantHunk } from './transplant.ts';

export const OPERATORS: readonly Operator[] = [
  deleteStatement,
  copyStatement,
  moveStatement,
  swapStatements,
  replaceStatement,
  changeOperator,
  changeComparison,
  moveBoundary,
  scaleConstant,
  nudgeConstant,
  flipBoolean,
  transplantHunk,
];
