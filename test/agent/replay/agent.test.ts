import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgent, type RecordedProposal, summarise } from '../../../src/agent/index.ts';
import { collect, openWorkshop, PACK } from '../workshop.ts';
import { aProposal, idOf, recordingOf, written } from './sample.ts';

const replayOf = (...proposals: RecordedProposal[]) =>
  createAgent({ kind: 'replay', from: recordingOf(proposals), timeoutMs: 60_000 }, { directory: '/nowhere' });
const edit = written('pack.js', PACK, `${PACK}// tighter\n`);

describe('the agent replay', () => {
  it('leaves the files and says the words of the recorded proposal', async () => {
    using workshop = openWorkshop();
    const again = aProposal({ round: 1, title: 'Again', files: [written('new/file.js', null, 'x\n')] });
    const agent = replayOf(aProposal({ files: [edit] }), again);
    expect(summarise(await collect(agent, workshop.task()))).toEqual({
      title: 'Pack tighter',
      summary: 'It grows more.',
      transcript: 'I looked.\nI wrote.',
      outcome: { kind: 'finished' },
    });
    expect(readFileSync(join(workshop.worktree, 'pack.js'), 'utf8')).toBe(`${PACK}// tighter\n`);
    expect(summarise(await collect(agent, workshop.task({ round: 1 }))).title).toBe('Again');
    expect(readFileSync(join(workshop.worktree, 'new/file.js'), 'utf8')).toBe('x\n');
  });

  it('leaves all as it is where one file does not fit, and names it', async () => {
    using workshop = openWorkshop({ 'pack.js': PACK, 'other.js': 'mine\n' });
    const agent = replayOf(aProposal({ files: [edit, written('other.js', 'theirs\n', 'x\n')] }));
    const events = await collect(agent, workshop.task());
    expect(events.at(-1)).toMatchObject({ type: 'failed', kind: 'refused' });
    expect(summarise(events).summary).toMatch(/does not fit this base: other\.js: /);
    expect(readFileSync(join(workshop.worktree, 'pack.js'), 'utf8')).toBe(PACK);
  });

  it('fails as it failed then', async () => {
    using workshop = openWorkshop();
    const failed = (stage: string, failure: string) => ({ kind: 'failed' as const, stage, failure, detail: 'why' });
    const agent = replayOf(
      aProposal({ outcome: failed('agent', 'timeout') }),
      aProposal({ ordinal: 2, outcome: { kind: 'nothing', detail: 'all is well' } }),
      aProposal({ ordinal: 3, outcome: failed('scope', 'scope') }),
    );
    const end = async (ordinal: number) => (await collect(agent, workshop.task({ ordinal }))).at(-1);
    expect(await end(1)).toEqual({ type: 'failed', kind: 'timeout', detail: 'why' });
    expect(await end(2)).toEqual({ type: 'failed', kind: 'nothing', detail: 'all is well' });
    expect(await end(3)).toEqual({ type: 'failed', kind: 'refused', detail: 'why' });
    expect(await end(4)).toMatchObject({ kind: 'nothing', detail: expect.stringContaining('ends at job 3') });
  });

  it('never writes through a link, nor into a folder behind one', async () => {
    using workshop = openWorkshop();
    const precious = join(workshop.outside, 'precious');
    mkdirSync(precious);
    writeFileSync(join(precious, 'pack.js'), PACK);
    symlinkSync(precious, join(workshop.worktree, 'lib'));
    const link = { path: 'lib', before: { mode: '120000', blob: idOf(precious) }, after: null };
    const behind = aProposal({ files: [written('lib/pack.js', PACK, 'x\n')] });
    const instead = aProposal({ ordinal: 2, files: [written('lib/pack.js', null, 'x\n')] });
    const agent = replayOf(behind, instead, aProposal({ ordinal: 3, files: [...instead.files, link] }));
    for (const ordinal of [1, 2]) {
      expect((await collect(agent, workshop.task({ ordinal }))).at(-1)).toMatchObject({ kind: 'refused' });
    }
    expect((await collect(agent, workshop.task({ ordinal: 3 }))).at(-1)).toMatchObject({ type: 'finished' });
    expect(readFileSync(join(workshop.worktree, 'lib/pack.js'), 'utf8')).toBe('x\n');
    expect(readFileSync(join(precious, 'pack.js'), 'utf8')).toBe(PACK);
  });

  it('puts a file in the place of a folder only where all of the folder goes', async () => {
    using workshop = openWorkshop({ 'lib/a.js': 'a\n', 'lib/deep/b.js': 'b\n' });
    const gone = (path: string, text: string) => ({ ...written(path, text, ''), after: null });
    const files = [gone('lib/a.js', 'a\n'), gone('lib/deep/b.js', 'b\n'), written('lib', null, 'x\n')];
    const agent = replayOf(aProposal({ files }));
    writeFileSync(join(workshop.worktree, 'lib/deep/more.js'), '');
    const [, end] = await collect(agent, workshop.task());
    expect(end).toMatchObject({ kind: 'refused', detail: expect.stringContaining('lib/deep/more.js') });
    expect(readdirSync(join(workshop.worktree, 'lib'))).toEqual(['a.js', 'deep']);
    using another = openWorkshop({ 'lib/a.js': 'a\n', 'lib/deep/b.js': 'b\n' });
    expect((await collect(agent, another.task())).at(-1)).toMatchObject({ type: 'finished' });
    expect(readFileSync(join(another.worktree, 'lib'), 'utf8')).toBe('x\n');
  });

  it('wants a recording of the root that it is for', () => {
    const config = { kind: 'replay', from: recordingOf([]), timeoutMs: 1 } as const;
    expect(() => createAgent(config, { directory: '/', rootTree: 'b'.repeat(40) })).toThrow(/another root/);
  });
});
