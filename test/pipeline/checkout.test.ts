import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InfrastructureError, InterruptedError } from '../../src/errors.ts';
import { placeLinks } from '../../src/pipeline/checkout.ts';
import { generate, prepareRoot } from '../../src/pipeline/index.ts';
import { agentThat, inputFor, SIGNAL, temporary, workshopOf } from './fixture.ts';

/** Checks the root out in a lane and looks at it before anything is edited. */
async function look<T>(workshop: Awaited<ReturnType<typeof workshopOf>>, at: (worktree: string) => Promise<T>) {
  const seen: T[] = [];
  const agent = agentThat(async (task) => {
    seen.push(await at(task.worktree));
    return [{ type: 'finished', title: '', summary: '' }];
  });
  const generated = await generate(workshop, agent, inputFor(workshop), SIGNAL);
  return { seen: seen[0], generated };
}

test('prepare runs once for a root; links lead into it and are never part of a candidate', async () => {
  const workshop = await workshopOf({
    target: 'prepare: ["mkdir deps && echo x >> deps/count"], link: [deps, a/b/deps]',
  });
  await prepareRoot(workshop, SIGNAL);
  await prepareRoot(workshop, SIGNAL);
  const { seen, generated } = await look(workshop, async (worktree) => ({
    count: await readFile(join(worktree, 'deps/count'), 'utf8'),
    deep: await readlink(join(worktree, 'a/b/deps')),
  }));
  expect(seen).toEqual({ count: 'x\n', deep: join(workshop.folders.prepared, 'a/b/deps') });
  expect(generated.kind).toBe('no_change');
});

test('what a dead process left half prepared is prepared anew', async () => {
  const workshop = await workshopOf({ target: 'prepare: ["mkdir deps"], link: [deps]' });
  await mkdir(join(workshop.folders.prepared, 'deps'), { recursive: true });
  await writeFile(join(workshop.folders.prepared, 'half'), '');
  await prepareRoot(workshop, SIGNAL);
  expect(await readdir(workshop.folders.prepared)).toEqual(
    expect.arrayContaining(['README.md', 'deps', 'src', 'value.txt']),
  );
  expect(await readdir(workshop.folders.prepared)).not.toContain('half');
});

test('a failing prepare is the machine’s fault, with the end of its output and what to do', async () => {
  const workshop = await workshopOf({ target: 'prepare: ["echo no compiler here >&2; exit 3"]' });
  const error = await prepareRoot(workshop, SIGNAL).catch((reason) => reason);
  expect(error).toBeInstanceOf(InfrastructureError);
  expect(error.message).toContain('exited with code 3');
  expect(error.message).toContain('no compiler here');
  expect(error.hint).toContain('target.prepare');
  // It is not taken for done the next time.
  await expect(prepareRoot(workshop, SIGNAL)).rejects.toThrow('exited with code 3');
});

test('an interrupted prepare is an interruption', async () => {
  const workshop = await workshopOf({ target: 'prepare: ["sleep 60"]' });
  const stop = new AbortController();
  const prepared = prepareRoot(workshop, stop.signal);
  stop.abort();
  await expect(prepared).rejects.toThrow(InterruptedError);
});

test('setup runs in every checkout, a moved one too, and its failure is the machine’s', async () => {
  const workshop = await workshopOf({ target: 'setup: ["test ! -e made && echo made > src/made"]' });
  for (const _ of [1, 2]) {
    const { generated } = await look(workshop, async () => undefined);
    expect(generated).toMatchObject({ kind: 'candidate', changes: [{ path: 'src/made' }] });
  }
  const broken = await workshopOf({ target: 'setup: ["exit 1"]' });
  await expect(look(broken, async () => undefined)).rejects.toThrow(InfrastructureError);
});

test('a link is not placed through a folder that a candidate made a link', async () => {
  const [dir, outside] = [await temporary(), await temporary()];
  await symlink(outside, join(dir, 'src'));
  placeLinks('/prepared', dir, ['src/deps', 'src/a/b', 'other/deps']);
  expect(await readdir(outside)).toEqual([]);
  expect(await readlink(join(dir, 'other/deps'))).toBe('/prepared/other/deps');
});
