import { type KeyPath, valueAt, without } from './key-path.ts';
import type { Report } from './report.ts';

/**
 * What the design of the campaign file has and this version does not do yet. A key that is accepted and ignored would
 * be a search other than the one that was asked for, so each is refused by its name.
 */
interface Unbuilt {
  readonly key: KeyPath;
  /** Values that are not built; without it the key as such. */
  readonly when?: (value: unknown) => boolean;
}

const UNBUILT: readonly Unbuilt[] = [
];

/** Reports what is not built and returns the written value without it, so that the rest can still be checked. */
export function refuseUnbuilt(written: unknown, report: Report): unknown {
  let rest = written;
  for (const { key, when } of UNBUILT) {
    const value = valueAt(written, key);
    if (value === undefined || (when !== undefined && !when(value))) continue;
    const shown = when === undefined ? '' : `: ${String(value)}`;
    report.error(key, `${key.join('.')}${shown} is not built yet`, 'key');
    rest = without(rest, key);
  }
  return rest;
}
