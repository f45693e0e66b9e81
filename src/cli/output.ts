import { CladeError } from '../errors.ts';
import type { CallTotals } from '../store/index.ts';

/**
 * Text that may go to a terminal. Titles, reasons and transcripts come from agents and candidates: their control
 * characters could move the cursor, rewrite what stands there or set the clipboard.
 */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '�');
}

/** Prints a value as JSON, or as the text that `render` makes of it. */
export function print<T>(value: T, json: boolean, render: (value: T) => string): void {
  const text = json ? JSON.stringify(value, null, 2) : harmless(render(value));
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Says what went wrong and what to do, on stderr; returns the exit code. Anything unforeseen keeps its stack trace. */
export function reportError(error: unknown, json: boolean): number {
  if (!(error instanceof CladeError)) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
  const { code, message, hint } = error;
  if (json) process.stderr.write(`${JSON.stringify({ error: { code, message, hint } })}\n`);
  else process.stderr.write(harmless(`clade: ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`));
  if (code === 'usage' || code === 'configuration') return 2;
  return code === 'interrupted' ? 130 : 1;
}

/** Rows as a table with aligned columns, each as wide as its widest cell. Numbers go to the right. */
export function table(header: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const right = header.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(header), ...cells.map(line)].join('\n');
}

/** A number with as many digits as people compare: at least six. */
export function number(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value)) return String(value);
  if (size >= 1e6 && size < 1e15) return String(Math.round(value));
  return size >= 1e15 || size < 1e-4 ? value.toExponential(5) : String(Number(value.toPrecision(6)));
}

export function objectives(values: Readonly<Record<string, number>> | null): string {
  if (values === null) return '';
  return Object.entries(values)
    .map(([name, value]) => `${name} ${number(value)}`)
    .join('  ');
}

/** What a candidate is ranked by, where that is not what was measured first. */
export function scores(
  of: {
    readonly objectives: Readonly<Record<string, number>>;
    readonly scores: Readonly<Record<string, number>>;
  } | null,
): string {
  if (of === null) return '';
  const other = Object.entries(of.scores).filter(([name, score]) => score !== of.objectives[name]);
  return other.length === 0 ? '' : `  ranked by ${objectives(Object.fromEntries(other))}`;
}

/** `+5.30 %` for 0.053; an empty text when there is nothing to compare. */
export function percent(gain: number | null): string {
  if (gain === null) return '';
  const size = Math.abs(gain * 100).toFixed(2);
  return `${gain < 0 && Number(size) > 0 ? '−' : '+'}${size} %`;
}

/** `1 h 02 m`, `3 m 20 s`, `12 s`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
}

/** Bytes, in the largest unit that leaves a whole part. */
export function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** What model calls used, in one line: `3 calls, 3,000 tokens in (600 cached), 150 out, 0.0045 USD`. */
export function usage({ calls, inputTokens, cachedTokens, outputTokens, costUsd, unpriced }: CallTotals): string {
  const whole = (value: number): string => value.toLocaleString('en-US');
  const cached = cachedTokens === 0 ? '' : ` (${whole(cachedTokens)} cached)`;
  const known = calls > unpriced ? [`${number(costUsd)} USD`] : [];
  const unknown = unpriced === 0 ? [] : [`${whole(unpriced)} of unknown price`];
  return [
    `${whole(calls)} call${calls === 1 ? '' : 's'}`,
    `${whole(inputTokens)} tokens in${cached}`,
    `${whole(outputTokens)} out`,
    ...known,
    ...unknown,
  ].join(', ');
}
