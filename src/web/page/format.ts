/** How the page writes numbers: all of them come from here, with the digits and signs of the command line. */

/** A number with as many digits as people compare: at least six. */
export function number(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value)) return String(value);
  if (size >= 1e6 && size < 1e15) return String(Math.round(value));
  return size >= 1e15 || size < 1e-4 ? value.toExponential(5) : String(Number(value.toPrecision(6)));
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

/** `1,234,567`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** `812 bytes`, `12.3 KiB`, `4.0 MiB`. */
export function bytes(size: number): string {
  if (size < 1024) return `${size} bytes`;
  const kibibytes = size / 1024;
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`;
}

/** `name 1.5, other 2`. */
export function values(of: Readonly<Record<string, number>> | null): string {
  if (of === null) return '';
  return Object.entries(of)
    .map(([name, value]) => `${name} ${number(value)}`)
    .join(', ');
}

/** What model calls cost: `0.0045 USD`, and how many of them have no known price. */
export function cost({ calls, costUsd, unpriced }: { calls: number; costUsd: number; unpriced: number }): string {
  const known = calls > unpriced || calls === 0 ? [`${number(costUsd)} USD`] : [];
  const unknown = unpriced === 0 ? [] : [`${count(unpriced)} of unknown price`];
  return [...known, ...unknown].join(', ');
}
