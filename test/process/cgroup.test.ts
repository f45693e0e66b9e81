import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownGroup, parentOfLeaves } from '../../src/process/cgroup/hierarchy.ts';
import { counter, makeLeaf } from '../../src/process/cgroup/leaf.ts';
import { probeCgroup } from '../../src/process/cgroup/probe.ts';
import { NO_LIMITS, probeIsolation, run } from '../../src/process/index.ts';
import { sandbox, scratchFolder, shell, watchForLeaks } from './fixture.ts';

watchForLeaks();
const scratch = await scratchFolder();
const MOUNT = '35 24 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw';

describe('the own group', () => {
  test.each([
    [`1 2 0:1 / / rw - ext4 x rw\n${MOUNT}`, '0::/user.slice/a\n', { folder: '/sys/fs/cgroup/user.slice/a' }],
    [MOUNT, '4:memory:/x\n0::/\n', { folder: '/sys/fs/cgroup' }],
    [MOUNT, '4:memory:/x\n', { reason: expect.stringContaining('can see') }],
    [MOUNT, '0::/../outside\n', { reason: expect.stringContaining('can see') }],
    ['1 2 0:1 / / rw - ext4 x rw', '0::/\n', { reason: expect.stringContaining('no cgroup v2') }],
  ])('of %j and %j', (mountinfo, cgroup, expected) => expect(ownGroup(mountinfo, cgroup)).toMatchObject(expected));

  test('or the one above it must hand both controllers down', async () => {
    const [mount, folder] = [join(scratch, 'v2'), join(scratch, 'v2/slice/own')];
    await mkdir(folder, { recursive: true });
    const hand = (path: string, what: string) => writeFile(join(path, 'cgroup.subtree_control'), `${what}\n`);
    await hand(folder, '');
    await hand(dirname(folder), 'cpu memory');
    await hand(mount, 'memory pids');
    const poor = await parentOfLeaves({ mount, folder });
    expect(poor).toEqual({ folder: null, reason: expect.stringContaining('hands no pids down') });
    await hand(dirname(folder), 'cpu memory pids');
    expect(await parentOfLeaves({ mount, folder })).toMatchObject({ folder: dirname(folder) });
    await hand(folder, 'memory pids');
    expect(await parentOfLeaves({ mount, folder })).toMatchObject({ folder });
    await hand(mount, '');
    expect((await parentOfLeaves({ mount, folder: mount })).folder).toBeNull();
  });
});

describe('a leaf', () => {
  test('is written as the kernel wants it, and its processes start in it', async () => {
    const parent = join(scratch, 'parent');
    await mkdir(parent);
    const leaf = await makeLeaf(parent, 5_000_000);
    const procs = leaf.prefix.at(-1) ?? '';
    const folder = dirname(procs);
    expect([dirname(folder), basename(procs)]).toEqual([parent, 'cgroup.procs']);
    const read = (file: string) => readFile(join(folder, file), 'utf8');
    expect([await read('memory.max'), await read('memory.oom.group'), await read('pids.max')]).toEqual([
      '5000000',
      '1',
      '4096',
    ]);
    const [file, ...argv] = [...leaf.prefix, 'sh', '-c', 'echo $$'];
    const child = spawn(file ?? '', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = await once(child.stdout, 'data');
    expect(await read('cgroup.procs')).toBe(String(printed));
  });

  test('that cannot be made leaves nothing, and the run is at level 2 and says why', async () => {
    const machine = await probeIsolation();
    if (machine.bubblewrap === null) return;
    const missing = join(scratch, 'no-such-group');
    await expect(makeLeaf(missing, 1)).rejects.toMatchObject({ code: 'ENOENT' });
    const spec = sandbox({ limits: { ...NO_LIMITS, memoryBytes: 10e9 } });
    const request = shell('exit 3', { cwd: '/', sandbox: spec });
    const result = await run(request, { ...machine, level: 3, cgroup: missing });
    expect(result).toMatchObject({ end: { kind: 'exit', code: 3 }, isolation: 2 });
    expect(result.notes).toEqual([expect.stringContaining('no cgroup for this run')]);
  });

  test('counts are read by name', () => {
    const events = 'low 0\noom 3\noom_kill 2\noom_group_kill 1\n';
    expect([counter(events, 'oom_kill'), counter(events, 'oom'), counter(events, 'none')]).toEqual([2, 3, 0]);
  });
});

test('the probe answers with a folder or with a reason, and leaves nothing behind', async () => {
  const probe = await probeCgroup();
  const isolation = await probeIsolation();
  expect(isolation.cgroup).toBe(probe.folder);
  expect(isolation.level === 3).toBe(probe.folder !== null && isolation.bubblewrap !== null);
  if (probe.folder === null) {
    expect(probe.reason).not.toBe('');
    expect(isolation.notes).toContainEqual(expect.stringContaining(probe.reason));
  }
});

/** A hierarchy v2 in which groups can be made, if without the controllers: enough to see processes moved and killed. */
const bare = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((path) => existsSync(join(path, 'cgroup.procs')));
const own = bare === undefined ? null : join(bare, `clade-test-${process.pid}`);
const usable =
  own !== null &&
  (await mkdir(own).then(
    () => rmdir(own).then(() => true),
    () => false,
  ));

test.skipIf(!usable)(
  'in a real hierarchy a process of the prefix is in the group, and cgroup.kill ends it',
  async () => {
    const folder = own ?? '';
    await mkdir(folder);
    try {
      const prefix = ['-c', 'echo $$ > "$0" && exec "$@"', join(folder, 'cgroup.procs')];
      const child = spawn('/bin/sh', [...prefix, 'sh', '-c', 'setsid sleep 300 & echo up; sleep 300'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      expect((await readFile(join(folder, 'cgroup.procs'), 'utf8')).split('\n')).toContain(`${child.pid}`);
      const exited = once(child, 'exit');
      await writeFile(join(folder, 'cgroup.kill'), '1');
      expect(await exited).toEqual([null, 'SIGKILL']);
      await expect.poll(() => readFile(join(folder, 'cgroup.events'), 'utf8')).toContain('populated 0');
    } finally {
      await writeFile(join(folder, 'cgroup.kill'), '1');
      await expect
        .poll(() =>
          rmdir(folder).then(
            () => 'gone',
            () => 'busy',
          ),
        )
        .toBe('gone');
    }
  },
);
