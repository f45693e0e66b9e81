import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConflictError } from '../../src/errors.ts';
import { type Holder, lockWorkspace } from '../../src/store/lock.ts';
import { endAll, start } from './children.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clade-lock-'));
});
afterEach(async () => {
  await endAll();
  await rm(folder, { recursive: true, force: true });
});

describe('the workspace lock', () => {
  it('names its holder to the second process, and is free when the first lets go', async () => {
    const first = start('hold.ts', folder, 'clade run first');
    expect(await first.line()).toBe('held');
    const second = start('hold.ts', folder, 'clade status');
    const refusal = (await second.line()) ?? '';
    expect(refusal).toContain('conflict: the workspace is in use by clade run first');
    expect(refusal).toContain(`(pid ${first.process.pid}, since 20`);
    expect(refusal).toContain('hold.ts');
    await first.end('SIGTERM');
    const third = start('hold.ts', folder, 'clade status');
    expect(await third.line()).toBe('held');
    await third.end('SIGTERM');
  });

  it('is taken over from a killed holder by exactly one of many that start at once', async () => {
    for (let round = 0; round < 3; round++) {
      const dead = start('lock.ts', folder, '0');
      expect(await dead.line()).toBe('won');
      await dead.end('SIGKILL');
      const moment = String(Date.now() + 1_500);
      const racers = Array.from({ length: 6 }, () => start('lock.ts', folder, moment));
      const results = await Promise.all(racers.map((racer) => racer.line()));
      expect(results.sort()).toEqual(['conflict', 'conflict', 'conflict', 'conflict', 'conflict', 'won']);
      await endAll();
    }
  });

  it('is not fooled by another process with the pid of a dead holder', async () => {
    lockWorkspace(folder, 'the first');
    await expect(async () => lockWorkspace(folder, 'the second')).rejects.toThrow(ConflictError);
    await rewrite((holder) => ({ ...holder, start: (holder.start ?? 0) - 1 }));
    lockWorkspace(folder, 'the second').release();
    expect((await holderOf(folder)).released).toBe(true);
  });

  it('is not fooled by a pid of an earlier boot', async () => {
    lockWorkspace(folder, 'the first');
    await rewrite((holder) => ({ ...holder, boot: 'another boot' }));
    expect(() => lockWorkspace(folder, 'the second')).not.toThrow();
  });

  it('believes a record of another machine, and says where it is', async () => {
    lockWorkspace(folder, 'the first');
    await rewrite((holder) => ({ ...holder, host: `not-${hostname()}`, boot: null }));
    await expect(async () => lockWorkspace(folder, 'the second')).rejects.toMatchObject({
      message: expect.stringContaining(`on not-${hostname()}`),
      hint: expect.stringContaining(folder),
    });
  });

  it('refuses a record that it cannot read, and says which', async () => {
    lockWorkspace(folder, 'the first');
    await writeFile(join(folder, '1'), '');
    await expect(async () => lockWorkspace(folder, 'the second')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(join(folder, '1')),
    });
  });

  it('leaves one record and no drafts', async () => {
    for (let round = 0; round < 5; round++) lockWorkspace(folder, `round ${round}`).release();
    expect(await readdir(folder)).toEqual(['5']);
  });
});

async function holderOf(directory: string): Promise<Holder> {
  const newest = (await readdir(directory))
    .map(Number)
    .sort((a, b) => a - b)
    .at(-1);
  return JSON.parse(await readFile(join(directory, String(newest)), 'utf8'));
}

async function rewrite(change: (holder: Holder) => Holder): Promise<void> {
  await writeFile(join(folder, '1'), JSON.stringify(change(await holderOf(folder))));
}
