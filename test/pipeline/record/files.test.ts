import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgent, type RecordedFile } from '../../../src/agent/index.ts';
import { fitChange } from '../../../src/agent/replay/fit.ts';
import { readCommit } from '../../../src/git/index.ts';
import { recordedFiles, writeRecording } from '../../../src/pipeline/index.ts';
import { patchBetween } from '../../../src/pipeline/record/patch.ts';
import { aProposal, idOf } from '../../agent/replay/sample.ts';
import { collect, openWorkshop } from '../../agent/workshop.ts';
import { editAwkward } from '../../fixtures/awkward.ts';
import { commitOf, workshop } from '../../git/workshop.ts';

const CODER = { name: 'x', kind: 'command', model: null };

async function* one<Value>(value: Value): AsyncGenerator<Value> {
  yield value;
}

describe.each(['sha1', 'sha256'] as const)('what a proposal changed, ids of %s', (format) => {
  it('comes back as the same tree from a recording alone: bytes, modes, links, names, renames', async () => {
    const { dir, hub, root, checkout, propose } = await workshop(format);
    const first = await checkout('first');
    await editAwkward(first);
    const commit = commitOf(await propose(first));
    const { tree } = await readCommit(hub, commit);
    const rootTree = (await readCommit(hub, root)).tree;
    const files = await recordedFiles(hub, root, commit);
    const kinds = files.map(({ after }) => Object.keys(after ?? { gone: 0 }).at(-1));
    expect(new Set(kinds)).toEqual(new Set(['patch', 'text', 'base64', 'gone', 'blob']));

    const folder = join(dir, 'recording');
    const base = { ordinal: 0, tree: rootTree };
    const proposal = aProposal({ base, start: rootTree, tree, files });
    const of = { campaign: 'awkward', root_tree: rootTree, clade: '0', coders: [CODER] };
    await writeRecording(folder, of, one({ proposal, madeAt: '2026-12-01T00:00:00.000Z' }));

    const second = await checkout('second');
    using tasks = openWorkshop();
    const agent = createAgent({ kind: 'replay', from: folder, timeoutMs: 60_000 }, { directory: dir, rootTree });
    expect((await collect(agent, tasks.task({ worktree: second }))).at(-1)).toMatchObject({ type: 'finished' });
    expect(await propose(second, { ordinal: 2 })).toMatchObject({ kind: 'commit', commit, tree });
    // Done again on what it came to, there is nothing left to do.
    expect((await collect(agent, tasks.task({ worktree: second }))).at(-1)).toMatchObject({ type: 'finished' });
    expect(await propose(second, { ordinal: 2 })).toMatchObject({ commit });
  });
});

it('a text of which nearly all changed is recorded as a whole', () => {
  const lines = (word: string): string => Array.from({ length: 3_000 }, (_, line) => `${word} ${line}\n`).join('');
  expect(patchBetween(lines('before'), lines('after'))).toBeNull();
  expect(patchBetween(lines('same'), `${lines('same')}one more\n`)).toMatch(/^@@ .*\+one more\n$/s);
});

const end = fc.constantFrom('\n', '\r\n', '\r', '');
const text = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', '\\ No newline at end of file', '@@ -1 +1 @@', '--- x', ''), end), {
    maxLength: 9,
  })
  .map((lines) => lines.flat().join(''));

it('a text is recorded so that it comes back, whatever its lines end with', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const patch = patchBetween(before, after);
      const side = { mode: '100644' as const, blob: idOf(after) };
      const file: RecordedFile = {
        path: 'x',
        before: { mode: '100644', blob: idOf(before) },
        after: patch === null ? { ...side, text: after } : { ...side, patch },
      };
      const result = fitChange(file, { mode: '100644', bytes: Buffer.from(before) });
      if (before === after) expect(result).toEqual({ kind: 'keep' });
      else expect(result).toEqual({ kind: 'put', content: { mode: '100644', bytes: Buffer.from(after) } });
    }),
    { numRuns: 500 },
  );
});
