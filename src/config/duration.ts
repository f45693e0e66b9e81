/** Durations as people write them, `500ms`, `90s`, `2m`, `5h`, `1d`, and as the program uses them: milliseconds. */

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

type Unit = keyof typeof MILLISECONDS;

/** Whole numbers only, and never zero: a timeout of nothing is always a slip. */
export const DURATION = /^([1-9]\d{0,6})(ms|s|m|h|d)$/;

/** @throws {RangeError} when the text does not match `DURATION`. */
export function parseDuration(text: string): number {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count === undefined || !isUnit(unit)) throw new RangeError(`${text} is not a duration such as 90s, 2m or 5h`);
  return Number(count) * MILLISECONDS[unit];
}

/** The shortest exact text: 90000 → `90s`, 120000 → `2m`. Inverse of `parseDuration`. */
export function formatDuration(milliseconds: number): string {
  const units: Unit[] = ['d', 'h', 'm', 's'];
  const unit = units.find((candidate) => milliseconds % MILLISECONDS[candidate] === 0) ?? 'ms';
  return `${milliseconds / MILLISECONDS[unit]}${unit}`;
}

function isUnit(text: string | undefined): text is Unit {
  return text !== undefined && Object.hasOwn(MILLISECONDS, text);
}
