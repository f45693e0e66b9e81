import { z } from 'zod';

/** What bubblewrap said on its status descriptor. */
export interface Status {
  /** Pid, seen from outside, of the first process of the fence; when it is gone, all are. */
  readonly init: number | null;
  /** False when the command was never started: the fence could not be set up, or exec failed. */
  readonly reported: boolean;
}

const line = z.object({ 'child-pid': z.int().optional(), 'exit-code': z.int().optional() });

/** Reads the JSON documents, one a line, of `--json-status-fd`. A line cut by a kill is left out. */
export function parseStatus(text: string): Status {
  const complete = text
    .split('\n')
    .slice(0, -1)
    .filter((part) => part.trim() !== '');
  const documents = complete.map((part) => line.parse(JSON.parse(part)));
  return {
    init: documents.find((document) => document['child-pid'] !== undefined)?.['child-pid'] ?? null,
    reported: documents.some((document) => document['exit-code'] !== undefined),
  };
}
