import { violations } from './exact.mjs';

export const CIRCLES = 26;
/** Lines of one kind in a message; a broken packing easily has hundreds. */
const SHOWN = 8;

/**
 * @typedef {import('./exact.mjs').Circle} Circle
 * @typedef {{kind: 'packing', circles: Circle[], sum: number} | {kind: 'refused', summary: string, evidence: string}} Verdict
 */

/**
 * Decides whether a harness's line is a packing of 26 circles, exactly and without tolerance.
 *
 * @param {string} line JSON: [[x, y, r], …], numbers as text
 * @returns {Verdict} `sum` of the radii, largest first, so that it does not depend on their order
 */
export function judge(line) {
  const rows = parse(line);
  if (rows === null) return refused('pack() printed no list of circles', line.slice(0, 500));
  if (rows.length !== CIRCLES) return refused(`${rows.length} circles instead of ${CIRCLES}`, '');
  const bad = rows.flatMap((row, i) =>
    row.flatMap((text, k) => (Number.isFinite(Number(text)) ? [] : [`circle ${i}: ${'xyr'[k]} is ${text}`])),
  );
  if (bad.length > 0) return refused(`${bad.length} values are not finite numbers`, list(bad));

  const circles = rows.map(([x, y, r]) => ({ x: Number(x), y: Number(y), r: Number(r) }));
  const flat = circles.flatMap(({ r }, i) => (r > 0 ? [] : [`circle ${i}: r is ${r}`]));
  if (flat.length > 0) return refused(`${flat.length} radii are not above zero`, list(flat));
  const { outside, overlapping } = violations(circles);
  if (outside.length + overlapping.length > 0) {
    const summary = `${outside.length} circles leave the square, ${overlapping.length} pairs overlap`;
    return refused(
      summary,
      list(outside.map((i) => leaving(circles, i))) + list(overlapping.map((pair) => sharing(circles, pair))),
    );
  }
  const sum = circles
    .map(({ r }) => r)
    .sort((a, b) => b - a)
    .reduce((total, r) => total + r, 0);
  return { kind: 'packing', circles, sum };
}

function refused(summary, evidence) {
  return { kind: 'refused', summary, evidence };
}

/** @returns {string[][] | null} */
function parse(line) {
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    // Whatever else the candidate printed is no list of circles; the caller shows it.
    return null;
  }
  const row = (item) =>
    Array.isArray(item) && item.length === 3 && item.every((text) => typeof text === 'string' && text !== '');
  return Array.isArray(value) && value.every(row) ? value : null;
}

function list(lines) {
  const more = lines.length > SHOWN ? [`… and ${lines.length - SHOWN} more`] : [];
  return [...lines.slice(0, SHOWN), ...more].map((line) => `${line}\n`).join('');
}

function leaving(circles, i) {
  const { x, y, r } = circles[i];
  const over = Math.max(r - x, r - y, x + r - 1, y + r - 1);
  return `circle ${i} at (${x}, ${y}), r ${r}, leaves the square by ${over.toExponential(2)}`;
}

function sharing(circles, [i, j]) {
  const [a, b] = [circles[i], circles[j]];
  const depth = a.r + b.r - Math.hypot(a.x - b.x, a.y - b.y);
  return `circles ${i} and ${j} overlap by ${depth.toExponential(2)}`;
}
