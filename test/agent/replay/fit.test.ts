import { describe, expect, it } from 'vitest';
import type { RecordedFile } from '../../../src/agent/index.ts';
import { fitChange } from '../../../src/agent/replay/fit.ts';
import { patchBetween } from '../../../src/pipeline/record/patch.ts';
import { idOf, written } from './sample.ts';

const lines = (...words: string[]): string => words.map((word) => `${word}\n`).join('');
const BEFORE = lines('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine');
const AFTER = BEFORE.replace('eight', 'EIGHT');

const file = (text: string, mode = '100644') => ({ mode, bytes: Buffer.from(text) });
const put = (text: string, mode = '100644') => ({ kind: 'put', content: { mode, bytes: Buffer.from(text) } });
const misfit = (reason: RegExp) => ({ kind: 'misfit', reason: expect.stringMatching(reason) });

const edited: RecordedFile = {
  path: 'a.txt',
  before: { mode: '100644', blob: idOf(BEFORE) },
  after: { mode: '100644', blob: idOf(AFTER), patch: patchBetween(BEFORE, AFTER) ?? '' },
};
const executable: RecordedFile = {
  path: 'a.sh',
  before: { mode: '100644', blob: idOf(BEFORE) },
  after: { mode: '100755', blob: idOf(BEFORE) },
};
const deleted: RecordedFile = { path: 'a.txt', before: { mode: '100644', blob: idOf(BEFORE) }, after: null };
const whole = written('a.txt', BEFORE, AFTER);
const fresh = written('a.txt', null, AFTER);

describe('a recorded change', () => {
  it.each([
    ['edits what it edited', edited, file(BEFORE), put(AFTER)],
    ['leaves what it would have made', edited, file(AFTER), { kind: 'keep' }],
    ['edits a text that differs elsewhere', edited, file(`zero\n${BEFORE}`), put(`zero\n${AFTER}`)],
    ['keeps the mode that it did not change', edited, file(BEFORE, '100755'), misfit(/mode/)],
    ['refuses where a line of its context differs', edited, file(BEFORE.replace('six', '6')), misfit(/otherwise/)],
    ['refuses where its line differs', edited, file(BEFORE.replace('eight', '8')), misfit(/otherwise/)],
    ['refuses what is no text', edited, { mode: '100644', bytes: Buffer.of(0xff) }, misfit(/otherwise/)],
    ['refuses what is gone', edited, null, misfit(/not there/)],
    ['refuses a folder', edited, 'folder', misfit(/folder/)],
    ['refuses a link', edited, file(BEFORE, '120000'), misfit(/mode/)],
    ['changes a mode, whatever the text', executable, file('other'), put('other', '100755')],
    ['leaves a mode that is changed', executable, file(BEFORE, '100755'), { kind: 'keep' }],
    ['deletes what it deleted', deleted, file(BEFORE), { kind: 'remove' }],
    ['leaves what is deleted', deleted, null, { kind: 'keep' }],
    ['does not delete another text', deleted, file(AFTER), misfit(/another/)],
    ['does not delete another mode', deleted, file(BEFORE, '100755'), misfit(/another/)],
    ['finds it gone where a folder is', deleted, 'folder', { kind: 'keep' }],
    ['writes as a whole over what it wrote over', whole, file(BEFORE), put(AFTER)],
    ['does not write as a whole over another text', whole, file(`zero\n${BEFORE}`), misfit(/otherwise/)],
    ['makes a new file', fresh, null, put(AFTER)],
    ['leaves a new file that is there', fresh, file(AFTER), { kind: 'keep' }],
    ['does not write over a file that it did not know', fresh, file(BEFORE), misfit(/already/)],
  ] as const)('%s', (_, change, found, expected) => {
    expect(fitChange(change, found)).toEqual(expected);
  });
});
