import type { Finding } from './finding.ts';
import type { KeyPath } from './key-path.ts';
import type { Source } from './source.ts';

/** Collects what the steps of reading a campaign have to say; nothing is printed and nothing stops at the first error. */
export interface Report {
  error(at: KeyPath, message: string, part?: 'key' | 'value'): void;
  warning(at: KeyPath, message: string, part?: 'key' | 'value'): void;
  readonly failed: boolean;
  /** In the order of the file. */
  findings(): { readonly warnings: Finding[]; readonly errors: Finding[] };
}

export function createReport(source: Source): Report {
  const errors = [...source.errors];
  const warnings = [...source.warnings];
  const finding = (at: KeyPath, message: string, part: 'key' | 'value' = 'value'): Finding => ({
    path: source.path,
    ...source.locate(at, part),
    message,
  });
  return {
    error: (...args) => errors.push(finding(...args)),
    warning: (...args) => warnings.push(finding(...args)),
    get failed() {
      return errors.length > 0;
    },
    findings: () => ({ warnings: warnings.toSorted(byPosition), errors: errors.toSorted(byPosition) }),
  };
}

function byPosition(a: Finding, b: Finding): number {
  return a.line - b.line || a.column - b.column;
}
