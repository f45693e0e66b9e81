import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgent, summarise } from '../../../src/agent/index.ts';
import { collect, openWorkshop, PACK, rngOf } from '../workshop.ts';
import { SAMPLES } from './samples.ts';

const mutate = (edits = { min: 1, max: 3 }) =>
  createAgent({ kind: 'mutate', timeoutMs: 60_000, edits }, { directory: '/' });
const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

describe('the mutate agent', () => {
  it('does the same for the same seed, and something else for another', async () => {
    const texts: string[] = [];
    for (const seed of [1, 1, 2, 3, 4, 5]) {
      using workshop = openWorkshop(SAMPLES);
      await collect(mutate(), workshop.task({ rng: rngOf(seed) }));
      texts.push(JSON.stringify(Object.keys(SAMPLES).map((path) => read(workshop.worktree, path))));
    }
    expect(texts[1]).toBe(texts[0]);
    expect(new Set(texts).size).toBe(5);
  });

  it('does not depend on what the same agent did before, nor on the order of the paths', async () => {
    const used = mutate();
    using first = openWorkshop(SAMPLES);
    for (let seed = 10; seed < 20; seed += 1) await collect(used, first.task({ rng: rngOf(seed) }));
    using one = openWorkshop(SAMPLES);
    using two = openWorkshop(SAMPLES);
    const warm = await collect(used, one.task({ files: async () => Object.keys(SAMPLES).toReversed() }));
    expect(warm).toEqual(await collect(mutate(), two.task()));
  });

  it('says what it did and where', async () => {
    using workshop = openWorkshop({ 'pack.js': 'go(0.95);\n' });
    const edits = await collect(mutate({ min: 1, max: 1 }), workshop.task({ rng: rngOf(3) }));
    const { title, summary } = summarise(edits);
    expect(title).toMatch(/^mutate: .+ in pack\.js:1$/);
    expect(`mutate: ${summary}`).toBe(title);
  });

  it('makes as many edits as it is told', async () => {
    using workshop = openWorkshop(SAMPLES);
    const events = await collect(mutate({ min: 3, max: 3 }), workshop.task());
    expect(events.filter(({ type }) => type === 'edit')).toHaveLength(3);
  });

  it('never proposes a tree that was seen', async () => {
    const known = new Set<string>();
    for (let seed = 0; seed < 30; seed += 1) {
      using workshop = openWorkshop({ 'pack.js': 'go(1);\nstop(2);\n' });
      const seen = async (files: ReadonlyMap<string, string>) => known.has(files.get('pack.js') ?? '');
      const events = await collect(mutate(), workshop.task({ seen, rng: rngOf(seed) }));
      const text = read(workshop.worktree, 'pack.js');
      expect(events.at(-1)?.type).toBe('finished');
      expect(known.has(text)).toBe(false);
      known.add(text);
    }
  });

  it('says so when there is nothing new', async () => {
    using workshop = openWorkshop();
    const events = await collect(mutate(), workshop.task({ seen: async () => true }));
    expect(events).toMatchObject([{ type: 'failed', kind: 'nothing' }]);
    expect(read(workshop.worktree, 'pack.js')).toBe(PACK);
  });

  it('keeps to the scope, and leaves binary, foreign and huge files alone', async () => {
    const files = {
      'pack.js': PACK,
      'protected.js': PACK,
      'huge.js': `${PACK}// ${'x'.repeat(600_000)}\n`,
      'binary.js': 'a(1);\0\n',
      'empty.js': '',
    };
    using workshop = openWorkshop(files);
    writeFileSync(join(workshop.worktree, 'latin.js'), Buffer.from('a("\xe9", 1, 2, 3);\n', 'latin1'));
    const latin = readFileSync(join(workshop.worktree, 'latin.js'));
    const agent = mutate();
    for (let seed = 0; seed < 20; seed += 1) {
      const editable = (path: string) => path !== 'protected.js';
      const paths = [...Object.keys(files), 'latin.js', 'gone.js'];
      await collect(agent, workshop.task({ editable, files: async () => paths, rng: rngOf(seed) }));
    }
    for (const [path, text] of Object.entries(files)) {
      if (path !== 'pack.js') expect(read(workshop.worktree, path)).toBe(text);
    }
    expect(readFileSync(join(workshop.worktree, 'latin.js'))).toEqual(latin);
    expect(read(workshop.worktree, 'pack.js')).not.toBe(PACK);
  });

  it('does not follow links', async () => {
    using workshop = openWorkshop({ 'link.js': '', 'folder/inner.js': PACK });
    const outside = join(workshop.outside, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'inner.js'), PACK);
    rmSync(join(workshop.worktree, 'link.js'));
    symlinkSync(join(outside, 'inner.js'), join(workshop.worktree, 'link.js'));
    rmSync(join(workshop.worktree, 'folder'), { recursive: true });
    symlinkSync(outside, join(workshop.worktree, 'folder'));
    const events = await collect(mutate(), workshop.task());
    expect(events).toMatchObject([{ type: 'failed', kind: 'nothing' }]);
    expect(read(outside, 'inner.js')).toBe(PACK);
  });

  it('keeps the mode, a byte order mark and Windows line ends', async () => {
    const text = `\uFEFF${PACK.replaceAll('\n', '\r\n')}`;
    using workshop = openWorkshop({ 'pack.js': text });
    writeFileSync(join(workshop.worktree, 'pack.js'), text, { mode: 0o755 });
    const mode = statSync(join(workshop.worktree, 'pack.js')).mode;
    for (let seed = 0; seed < 20; seed += 1) await collect(mutate(), workshop.task({ rng: rngOf(seed) }));
    const after = read(workshop.worktree, 'pack.js');
    expect(after).not.toBe(text);
    expect(after.startsWith('\uFEFF')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(statSync(join(workshop.worktree, 'pack.js')).mode).toBe(mode);
  });

  it('works on a file that had syntax errors before', async () => {
    using workshop = openWorkshop({ 'a.c': 'int f() { @@@ ; x = 1; y = 2; return x < y; }\n' });
    expect((await collect(mutate(), workshop.task())).at(-1)?.type).toBe('finished');
  });

  it('transplants what an inspiration changed', async () => {
    const before = PACK;
    const after = PACK.replace('items[i] > best', 'items[i] * items.length > best');
    const inspirations = [{ ordinal: 7, files: [{ path: 'pack.js', before, after }] }];
    const texts = new Set<string>();
    const titles: string[] = [];
    for (let seed = 0; seed < 60; seed += 1) {
      using workshop = openWorkshop({ 'pack.js': PACK.replace('1.5', '2.5') });
      const agent = mutate({ min: 1, max: 1 });
      titles.push(
        summarise(await collect(agent, workshop.task({ inspirations: async () => inspirations, rng: rngOf(seed) })))
          .title,
      );
      texts.add(read(workshop.worktree, 'pack.js'));
    }
    expect([...texts]).toContain(after.replace('1.5', '2.5'));
    expect(titles).toContain('mutate: transplant −1 +1 lines of #7 in pack.js:6');
  });
});
