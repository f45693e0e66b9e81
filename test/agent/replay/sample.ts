import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { RecordedFile, RecordedProposal } from '../../../src/agent/index.ts';
import { objectId } from '../../../src/git/index.ts';

export const TREE = 'a'.repeat(40);

export const idOf = (bytes: string | Buffer): string => objectId(TREE, 'blob', Buffer.from(bytes));

/** A file that was written anew, or for the first time. */
export function written(path: string, before: string | null, text: string): RecordedFile {
  return {
    path,
    before: before === null ? null : { mode: '100644', blob: idOf(before) },
    after: { mode: '100644', blob: idOf(text), text },
  };
}

export function aProposal(changes: Partial<RecordedProposal> = {}): RecordedProposal {
  return {
    ordinal: 1,
    round: 0,
    base: { ordinal: 0, tree: TREE },
    start: TREE,
    tree: TREE,
    coder: 'codex',
    title: 'Pack tighter',
    summary: 'It grows more.',
    plan: null,
    transcript: 'I looked.\nI wrote.',
    outcome: { kind: 'finished' },
    usage: null,
    files: [],
    ...changes,
  };
}

/** Writes a recording as anybody could, and gives its folder; it goes when the tests of the file are over. */
export function recordingOf(proposals: readonly unknown[], head: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'clade-recording-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const text = proposals.map((proposal) => `${JSON.stringify(proposal)}\n`).join('');
  writeFileSync(join(folder, 'proposals.ndjson'), text);
  writeFileSync(
    join(folder, 'recording.json'),
    JSON.stringify({
      format: 1,
      campaign: 'packing',
      root_tree: TREE,
      clade: '0.1.0',
      recorded_at: null,
      coders: [{ name: 'codex', kind: 'command codex', model: null }],
      proposals: proposals.length,
      sha256: createHash('sha256').update(text).digest('hex'),
      ...head,
    }),
  );
  return folder;
}
