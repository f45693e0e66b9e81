import type { Rng } from '../../qd/index.ts';
import type { Source, Statement } from './source.ts';
import { type Edit, excerpt, indentAt, lineEnd, reindent, wholeLines } from './text.ts';

/** How far, counted in statements, a copy or a move usually goes: code close by shares the variables. */
const REACH = 12;

export function textOf(source: Source, statement: Statement): string {
  return source.text.slice(statement.start, statement.end);
}

export function quote(source: Source, statement: Statement): string {
  return `“${excerpt(textOf(source, statement))}”`;
}

/** The statement's text as it would stand at `place`. */
export function textAt(source: Source, statement: Statement, place: Statement): string {
  const from = indentAt(source.text, statement.start);
  return reindent(textOf(source, statement), from, indentAt(source.text, place.start));
}

/** Takes a statement out, with its lines when it has them to itself. */
export function removal(source: Source, statement: Statement): Edit {
  const empty = source.language?.emptyStatement ?? '';
  const alone = source.statements.filter((other) => other.block === statement.block).length === 1;
  if (empty !== '' && alone) return { start: statement.start, end: statement.end, text: empty };
  const { start, end } = wholeLines(source.text, statement) ?? statement;
  return { start, end, text: '' };
}

/** Puts a statement in front of `place`, or behind it. */
export function insertion(source: Source, statement: Statement, place: Statement, behind: boolean): Edit {
  const piece = textAt(source, statement, place);
  const lines = wholeLines(source.text, place);
  if (lines === null) {
    const at = behind ? place.end : place.start;
    return { start: at, end: at, text: behind ? ` ${piece}` : `${piece} ` };
  }
  const eol = lineEnd(source.text);
  if (behind) return { start: place.end, end: place.end, text: eol + indentAt(source.text, place.start) + piece };
  return { start: lines.start, end: lines.start, text: indentAt(source.text, place.start) + piece + eol };
}

/** Another statement that does not overlap `statement`: usually one close by, one time in four any of the file. */
export function otherStatement(source: Source, statement: Statement, rng: Rng, sameBlock = false): Statement | null {
  let others = source.statements.filter(
    (other) =>
      (other.end <= statement.start || statement.end <= other.start) && (!sameBlock || other.block === statement.block),
  );
  if (rng.below(4) !== 0) {
    const before = others.filter((other) => other.end <= statement.start).slice(-REACH);
    const behind = others.filter((other) => other.start >= statement.end).slice(0, REACH);
    others = [...before, ...behind];
  }
  return others.length === 0 ? null : rng.pick(others);
}
