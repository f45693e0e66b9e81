import { type Circle, violations } from './exact.ts';

/** Lines of one kind in a message; a broken packing easily has hundreds. */
const SHOWN = 8;

export type Verdict =
  | {
      readonly kind: 'packing';
      readonly circles: readonly Circle[];
      /** Of the radii, largest first, so that it does not depend on their order. */
      readonly sum: number;
    }
  | { readonly kind: 'refused'; readonly summary: string; readonly evidence: string };

/**
 * Decides whether a harness's line is a packing of so many circles into the square, exactly and without tolerance.
 *
 * @param line JSON: [[x, y, r], …], numbers as text
 */
export function judge(line: string, count: number, side: number): Verdict {
  const rows = parse(line);
  if (rows === null) return refused('pack() printed no list of circles', line.slice(0, 500));
  if (rows.length !== count) return refused(`${rows.length} circles instead of ${count}`, '');
  const bad = rows.flatMap((row, i) =>
    row.flatMap((text, k) => (Number.isFinite(Number(text)) ? [] : [`circle ${i}: ${'xyr'[k]} is ${text}`])),
  );
  if (bad.length > 0) return refused(`${bad.length} values are not finite numbers`, list(bad));

  const circles = rows.map(([x, y, r]) => ({ x: Number(x), y: Number(y), r: Number(r) }));
  const flat = circles.flatMap(({ r }, i) => (r > 0 ? [] : [`circle ${i}: r is ${r}`]));
  if (flat.length > 0) return refused(`${flat.length} radii are not above zero`, list(flat));
  const { outside, overlapping } = violations(circles, side);
  if (outside.length + overlapping.length > 0) {
    const summary = `${outside.length} circles leave the square, ${overlapping.length} pairs overlap`;
    const leaves = circles.flatMap((circle, i) => (outside.includes(i) ? [leaving(circle, i, side)] : []));
    return refused(summary, list(leaves) + list(overlapping.map((pair) => sharing(circles, pair))));
  }
  const sum = circles
    .map(({ r }) => r)
    .sort((a, b) => b - a)
    .reduce((total, r) => total + r, 0);
  return { kind: 'packing', circles, sum };
}

function refused(summary: string, evidence: string): Verdict {
  return { kind: 'refused', summary, evidence };
}

type Row = readonly [x: string, y: string, r: string];

function parse(line: string): readonly Row[] | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Whatever else the candidate printed is no list of circles; the caller shows it.
    return null;
  }
  return Array.isArray(value) && value.every(isRow) ? value : null;
}

function isRow(item: unknown): item is Row {
  return Array.isArray(item) && item.length === 3 && item.every((text) => typeof text === 'string' && text !== '');
}

function list(lines: readonly string[]): string {
  const more = lines.length > SHOWN ? [`… and ${lines.length - SHOWN} more`] : [];
  return [...lines.slice(0, SHOWN), ...more].map((line) => `${line}\n`).join('');
}

function leaving({ x, y, r }: Circle, i: number, side: number): string {
  const over = Math.max(r - x, r - y, x + r - side, y + r - side);
  return `circle ${i} at (${x}, ${y}), r ${r}, leaves the square by ${over.toExponential(2)}`;
}

function sharing(circles: readonly Circle[], [i, j]: readonly [number, number]): string {
  const [a, b] = [circles[i], circles[j]];
  const depth = a === undefined || b === undefined ? 0 : a.r + b.r - Math.hypot(a.x - b.x, a.y - b.y);
  return `circles ${i} and ${j} overlap by ${depth.toExponential(2)}`;
}
