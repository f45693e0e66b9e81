import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { baseEnvironment, NO_LIMITS, probeIsolation, run, type SandboxSpec } from '../../src/process/index.ts';
import { describeIf } from '../support/requirements.ts';
import { sandbox, scratchFolder, shell, watchForLeaks } from './fixture.ts';

watchForLeaks();
const machine = await probeIsolation();
const scratch = await scratchFolder();
const home = join(scratch, 'home');
const [open, writable, secret] = [join(scratch, 'open'), join(scratch, 'writable'), join(scratch, 'open/secret')];
for (const folder of [home, open, writable, secret]) await mkdir(folder, { recursive: true });
await writeFile(join(open, 'public'), 'public');
await writeFile(join(open, 'key'), 'hush');
await writeFile(join(secret, 'key'), 'hush');
await symlink(open, join(scratch, 'alias'));

const spec = sandbox({ mode: 'required', readOnly: [open], writable: [writable], hidden: [secret, join(open, 'key')] });

async function inside(line: string, more: Partial<SandboxSpec> = {}): Promise<string> {
  const request = shell(line, { cwd: writable, sandbox: { ...spec, ...more } });
  const result = await run({ ...request, env: baseEnvironment({ home, tmp: '/tmp' }) });
  expect(result.isolation).toBe(2);
  return `${result.stdout.text}${result.stderr.text}`.trim();
}

await describeIf('bubblewrap', 'the sandbox', () => {
  test('shows what is bound and nothing else', async () => {
    expect(await inside(`cat ${open}/public; ls ${scratch}`)).toBe('publicopen\nwritable');
    expect(await inside(`ls -d ${homedir()}/.bashrc /etc/shadow /var 2> /dev/null; true`)).toBe('');
  });

  test('lets the writable be written and the rest not, even by root', async () => {
    await inside(`echo kept > ${writable}/file`);
    expect(await inside('cat file')).toBe('kept');
    expect(await inside(`echo x > ${open}/public`)).toContain('Read-only file system');
    expect(await inside(`mount -o remount,rw,bind ${open} && echo escaped`)).not.toContain('escaped');
    const nested = `unshare --user --map-root-user --mount sh -c "mount -o remount,rw,bind ${open} && echo escaped"`;
    expect(await inside(nested)).not.toContain('escaped');
  });

  test('masks the hidden, also behind a bound link', async () => {
    expect(
      await inside(`cat ${open}/key; ls -A ${secret}; echo x 2> /dev/null > ${secret}/new; cat ${secret}/new`),
    ).not.toMatch(/^x$|hush/m);
    const alias = join(scratch, 'alias');
    const shown = await inside(`cat ${alias}/public; cat ${alias}/key ${alias}/secret/key`, { readOnly: [alias] });
    expect(shown).toContain('public');
    expect(shown).not.toContain('hush');
  });

  test('has a /tmp of its own', async () => {
    await inside('echo x > /tmp/clade-left-behind');
    expect(await inside('ls /tmp')).not.toContain('clade-left-behind');
  });

  test('has no network but loopback, unless allowed', async () => {
    const interfaces = 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "';
    expect(await inside(interfaces)).toBe('lo');
    const talk = `node -e 'const s = require("net").createServer(c => c.end("pong")).listen(0, "127.0.0.1", () =>
      require("net").connect(s.address().port, "127.0.0.1").on("data", d => { console.log(String(d)); s.close() }))'`;
    expect(await inside(talk)).toBe('pong');
    const outside = await run(shell(interfaces));
    expect(await inside(interfaces, { network: true })).toBe(outside.stdout.text.trim());
  });

  test('sees no process of the host, and no descriptor that any child would not', async () => {
    expect(Number(await inside('ls /proc | grep -c "^[0-9]"'))).toBeLessThan(7);
    const descriptors = 'ls /proc/self/fd | sort -n';
    expect(await inside(descriptors)).toBe((await run(shell(descriptors))).stdout.text.trim());
  });

  test('leaves nothing in memory that could be filled without a bound', async () => {
    const limits = { ...NO_LIMITS, tmpBytes: 2 ** 20 };
    const fill = (path: string) =>
      `head -c 3000000 /dev/zero > ${path}/fill; ls ${path} | grep -q fill && wc -c < ${path}/fill`;
    for (const path of ['/tmp', '/dev/shm']) {
      expect(await inside(fill(path), { limits })).toMatch(/^1048576\n.*No space left on device/);
    }
    for (const path of ['/', '/dev', secret]) expect(await inside(fill(path), { limits })).toMatch(/Read-only|denied/);
  });

  test('that cannot be set up is not an exit code of the command', async () => {
    const missing = sandbox({ writable: [join(scratch, 'missing')] });
    expect((await run(shell('exit 0', { sandbox: missing }))).end).toMatchObject({ kind: 'spawn-failed' });
  });
});

describe('a machine without bubblewrap', () => {
  const poor = {
    ...machine,
    level: 0 as const,
    bubblewrap: null,
    unshare: null,
    notes: ['bubblewrap is not installed'],
  };

  test('refuses a required sandbox and says what to install', async () => {
    const running = run(shell('exit 0', { sandbox: sandbox({ mode: 'required' }) }), poor);
    await expect(running).rejects.toMatchObject({
      code: 'infrastructure',
      hint: expect.stringContaining('bubblewrap'),
    });
  });

  test('does its best for a preferred one, and says how good that was', async () => {
    const result = await run(shell('exit 0', { sandbox: sandbox() }), poor);
    expect(result).toMatchObject({ end: { kind: 'exit', code: 0 }, isolation: 0 });
  });
});
