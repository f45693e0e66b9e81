import { dirname, relative } from 'node:path';

/** Something to say about a campaign file, and where: line and column count from 1. */
export interface Finding {
  /** Absolute path of the file. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** `campaign.yaml:12:3 message`, with the path relative to `from` (the file's own folder when not given). */
export function formatFinding(finding: Finding, from: string = dirname(finding.path)): string {
  return `${relative(from, finding.path)}:${finding.line}:${finding.column} ${finding.message}`;
}
