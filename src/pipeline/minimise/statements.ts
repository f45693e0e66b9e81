import { type LineRange, nodesWithin } from '../../agent/index.ts';
import { type FileChange, type Splice, type TextChange, textOf } from './change.ts';

/** Two statements this similar or more are versions of one. */
const SIMILAR = 0.4;
/** Pairs of statements that are compared in one hunk at most. */
const MAX_PAIRS = 10_000;

/**
 * Cuts the splices of each text along the statements in them, where there is a grammar: a statement that became another one
 * stays with it, others are added and removed on their own. All of them together still give the same text.
 */
export async function splitStatements(changes: readonly FileChange[]): Promise<FileChange[]> {
  return Promise.all(changes.map((change) => (change.kind === 'whole' ? change : splitText(change))));
}

async function splitText(change: TextChange): Promise<FileChange> {
  const { path, before, splices } = change;
  const oldRanges = splices.map(({ at, removed }) => ({ from: at, to: at + removed }));
  const newRanges: LineRange[] = [];
  let shift = 0;
  for (const { at, removed, added } of splices) {
    newRanges.push({ from: at + shift, to: at + shift + added.length });
    shift += added.length - removed;
  }
  const after = textOf(change);
  const [oldNodes, newNodes] = await Promise.all([
    nodesWithin(path, before.join(''), oldRanges),
    nodesWithin(path, after.join(''), newRanges),
  ]);
  if (oldNodes === null || newNodes === null) return change;
  return {
    ...change,
    splices: splices.flatMap((splice, index) => {
      const old = pieces(oldRanges[index], oldNodes[index] ?? [], before);
      const made = pieces(newRanges[index], newNodes[index] ?? [], after);
      return cut(splice, old, made);
    }),
  };
}

interface Piece {
  readonly from: number;
  readonly lines: readonly string[];
}

/** A range in as many pieces as there are nodes: what stands between two, such as a comment, belongs to the second. */
function pieces(range: LineRange | undefined, nodes: readonly LineRange[], text: readonly string[]): Piece[] {
  if (range === undefined || range.from === range.to) return [];
  const ends = [...nodes.slice(0, -1).map(({ to }) => to), range.to];
  return ends.map((to, index) => {
    const from = index === 0 ? range.from : (ends[index - 1] ?? range.from);
    return { from, lines: text.slice(from, to) };
  });
}

/** The splice in pieces; as it is when nothing in it can be told apart. */
function cut(splice: Splice, old: readonly Piece[], made: readonly Piece[]): Splice[] {
  if (old.length * made.length > MAX_PAIRS) return [splice];
  const pairs = old.length === 0 || made.length === 0 ? [] : align(old, made);
  if (old.length > 0 && made.length > 0 && pairs.length === 0) return [splice];
  const end = splice.at + splice.removed;
  const splices: Splice[] = [];
  let [x, y] = [0, 0];
  for (const [i, j] of [...pairs, [old.length, made.length] as const]) {
    for (const { from, lines } of old.slice(x, i)) splices.push({ at: from, removed: lines.length, added: [] });
    const at = old[i]?.from ?? end;
    for (const { lines } of made.slice(y, j)) splices.push({ at, removed: 0, added: lines });
    const [before, after] = [old[i], made[j]];
    if (before !== undefined && after !== undefined) {
      splices.push({ at: before.from, removed: before.lines.length, added: after.lines });
    }
    [x, y] = [i + 1, j + 1];
  }
  return splices;
}

/** Pairs of similar pieces in order, with the greatest sum of similarities (Needleman & Wunsch 1970, gaps for nothing). */
function align(old: readonly Piece[], made: readonly Piece[]): (readonly [number, number])[] {
  const [a, b] = [old.map(tokensOf), made.map(tokensOf)];
  const likeness = a.map((one) => b.map((other) => similarity(one, other)));
  const best: number[][] = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const paired = (i: number, j: number): number => {
    const alike = likeness[i]?.[j] ?? 0;
    return alike < SIMILAR ? -Infinity : alike + at(i + 1, j + 1);
  };
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      (best[i] ?? [])[j] = Math.max(at(i + 1, j), at(i, j + 1), paired(i, j));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (paired(i, j) === at(i, j)) pairs.push([i++, j++]);
    else if (at(i + 1, j) === at(i, j)) i += 1;
    else j += 1;
  }
  return pairs;
}

function tokensOf({ lines }: Piece): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [token] of lines.join('').matchAll(/\w+|[^\s\w]/g)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** Share of tokens in common (Dice 1945), 0 … 1. */
function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const size = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0);
  let common = 0;
  for (const [token, count] of a) common += Math.min(count, b.get(token) ?? 0);
  const total = size(a) + size(b);
  return total === 0 ? 1 : (2 * common) / total;
}
