import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRecording } from '../../../src/agent/index.ts';
import { ConfigurationError } from '../../../src/errors.ts';
import { aProposal, recordingOf, TREE, written } from './sample.ts';

function refusal(folder: string, rootTree: string | null = null): string {
  try {
    openRecording(folder, rootTree);
  } catch (error) {
    if (error instanceof ConfigurationError && error.hint !== undefined) return error.message;
    throw error;
  }
  return 'none';
}

it('gives each proposal by job and round', () => {
  const again = aProposal({ ordinal: 3, round: 1, title: 'Again' });
  const recording = openRecording(recordingOf([aProposal(), aProposal({ ordinal: 3 }), again]), TREE);
  expect(recording.find(3, 1)).toEqual(again);
  expect(recording.find(3, 0)).toEqual(aProposal({ ordinal: 3 }));
  expect(recording.find(2, 0)).toBeUndefined();
  expect(recording.last).toBe(3);
});

it('says what is wrong with a recording, and what to do', () => {
  expect(refusal('/nowhere')).toMatch(/^there is no recording in \/nowhere/);
  expect(refusal(recordingOf([], { format: 2 }))).toMatch(/has the format 2; this version reads 1$/);
  expect(refusal(recordingOf([], { campaign: 7 }))).toMatch(/campaign/);
  expect(refusal(recordingOf([]), 'b'.repeat(40))).toMatch(/begins at another root/);
  const touched = recordingOf([aProposal()]);
  appendFileSync(join(touched, 'proposals.ndjson'), ' ');
  expect(refusal(touched)).toMatch(/proposals\.ndjson is not what was recorded/);
  const broken = recordingOf([]);
  writeFileSync(join(broken, 'recording.json'), '{');
  expect(refusal(broken)).toMatch(/is not JSON$/);
  expect(refusal(recordingOf([{ ordinal: 1 }]))).toMatch(/proposals\.ndjson/);
});

it.each(['../out.js', '/out.js', 'a/../../out.js', '.git/config', 'a/.git/hooks/x', '', 'a//b', 'a/'])(
  'takes no file with the path %j',
  (path) => {
    expect(refusal(recordingOf([aProposal({ files: [written(path, null, 'x')] })]))).toMatch(/no path inside/);
  },
);
