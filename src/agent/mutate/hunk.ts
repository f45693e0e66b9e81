import type { Span } from './text.ts';

/** A stretch of changed lines; every line carries its own line end. */
export interface Hunk {
  /** The zero-based line of the old text at which the removed lines begin. */
  readonly at: number;
  /** Up to three unchanged lines in front of it, the nearest last. */
  readonly before: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Up to three unchanged lines behind it, the nearest first. */
  readonly behind: readonly string[];
}

const CONTEXT = 3;
/** Beyond this many differing lines the middle is one hunk: the search is quadratic in them. */
const MAX_DISTANCE = 500;

export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The hunks that lead from one text to the other, shortest edit script (Myers 1986, the greedy algorithm). */
export function hunksBetween(before: string, after: string): Hunk[] {
  const a = splitLines(before);
  const b = splitLines(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;

  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  const same = commonLines(middleA, middleB) ?? [];
  const hunks: Hunk[] = [];
  let x = 0;
  let y = 0;
  for (const [i, j] of [...same, [middleA.length, middleB.length] as const]) {
    if (i > x || j > y) {
      hunks.push({
        at: head + x,
        before: a.slice(Math.max(0, head + x - CONTEXT), head + x),
        removed: middleA.slice(x, i),
        added: middleB.slice(y, j),
        behind: a.slice(head + i, head + i + CONTEXT),
      });
    }
    x = i + 1;
    y = j + 1;
  }
  return hunks;
}

/** Pairs of equal lines [index in a, index in b] in order; null when the texts differ too much. */
function commonLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] | null {
  const furthest = new Map<number, number>([[1, 0]]);
  const at = (v: ReadonlyMap<number, number>, k: number) => v.get(k) ?? -1;
  const goesDown = (v: ReadonlyMap<number, number>, k: number, d: number) =>
    k === -d || (k !== d && at(v, k - 1) < at(v, k + 1));
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= Math.min(a.length + b.length, MAX_DISTANCE); d += 1) {
    trace.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(furthest, k, d) ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return backtrack(d);
    }
  }
  return null;

  function backtrack(distance: number): (readonly [number, number])[] {
    const pairs: (readonly [number, number])[] = [];
    let x = a.length;
    let y = b.length;
    for (let d = distance; d >= 0; d -= 1) {
      const v = trace[d] ?? new Map();
      const from = goesDown(v, x - y, d) ? x - y + 1 : x - y - 1;
      const fromX = d === 0 ? 0 : at(v, from);
      const fromY = d === 0 ? 0 : fromX - from;
      while (x > fromX && y > fromY) {
        x -= 1;
        y -= 1;
        pairs.push([x, y]);
      }
      x = fromX;
      y = fromY;
    }
    return pairs.reverse();
  }
}

/**
 * Where a hunk's removed lines stand in another text, as patch(1) looks for them: with all their context, else with less
 * and less of it; of several places the nearest to where they were. Without any context the place must be the only one.
 */
export function locate(hunk: Hunk, text: string, starts: readonly number[]): Span | null {
  const lines = splitLines(text);
  for (let context = CONTEXT; context >= 0; context -= 1) {
    const before = context === 0 ? [] : hunk.before.slice(-context);
    const behind = hunk.behind.slice(0, context);
    const wanted = [...before, ...hunk.removed, ...behind];
    if (wanted.length === 0) return null;
    const places = occurrences(lines, wanted).map((place) => place + before.length);
    if (context === 0 && places.length > 1) return null;
    const first = places.sort((a, b) => Math.abs(a - hunk.at) - Math.abs(b - hunk.at) || a - b)[0];
    if (first === undefined) continue;
    return { start: starts[first] ?? text.length, end: starts[first + hunk.removed.length] ?? text.length };
  }
  return null;
}

function occurrences(lines: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, index) => lines[at + index] === line)) places.push(at);
  }
  return places;
}
