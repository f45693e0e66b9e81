/** Sizes as people write them, `512MiB`, `8GiB`, and as the program uses them: bytes. */

const BYTES = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

type Unit = keyof typeof BYTES;

/** Whole numbers of binary units, never zero. */
export const SIZE = /^([1-9]\d{0,6})(KiB|MiB|GiB|TiB)$/;

/** @throws {RangeError} when the text does not match `SIZE`. */
export function parseSize(text: string): number {
  const [, count, unit] = SIZE.exec(text) ?? [];
  if (count === undefined || !isUnit(unit)) throw new RangeError(`${text} is not a size such as 512MiB or 8GiB`);
  return Number(count) * BYTES[unit];
}

/** The shortest exact text: 1073741824 → `1GiB`. Inverse of `parseSize`. */
export function formatSize(bytes: number): string {
  const units: Unit[] = ['TiB', 'GiB', 'MiB'];
  const unit = units.find((candidate) => bytes % BYTES[candidate] === 0) ?? 'KiB';
  return `${bytes / BYTES[unit]}${unit}`;
}

function isUnit(text: string | undefined): text is Unit {
  return text !== undefined && Object.hasOwn(BYTES, text);
}
