import { describe, expect, test } from 'vitest';
import { type BubblewrapPlan, bubblewrapArguments } from '../../src/process/index.ts';

const plan: BubblewrapPlan = {
  network: false,
  cwd: '/w/candidate',
  system: ['/usr', '/etc/passwd'],
  readOnly: ['/w', '/tmp/bundle'],
  writable: ['/w/candidate', '/tmp/bundle'],
  masks: [
    { path: '/w/hidden', kind: 'directory' },
    { path: '/w/candidate/.env', kind: 'file' },
  ],
  tmpBytes: 4096,
  statusFd: 3,
};

function position(argv: readonly string[], ...part: string[]): number {
  return argv.findIndex((_, at) => part.every((word, offset) => argv[at + offset] === word));
}

describe('the arguments of bubblewrap', () => {
  const argv = bubblewrapArguments(plan);

  test('drop every capability, or root could remount what is read-only', () => {
    expect(position(argv, '--cap-drop', 'ALL')).toBeGreaterThan(-1);
  });

  test('share the network only when asked', () => {
    expect(argv).toContain('--unshare-all');
    expect(argv).not.toContain('--share-net');
    expect(bubblewrapArguments({ ...plan, network: true })).toContain('--share-net');
  });

  test('never bind the root of the host', () => {
    expect(position(argv, '/', '/')).toBe(-1);
  });

  test('mount parents before what lies in them, and /tmp before all binds', () => {
    const order = [
      position(argv, '--tmpfs', '/tmp'),
      position(argv, '--ro-bind', '/w', '/w'),
      position(argv, '--bind', '/w/candidate', '/w/candidate'),
      position(argv, '--ro-bind', '/dev/null', '/w/candidate/.env'),
    ];
    expect(order).not.toContain(-1);
    expect(order.toSorted((a, b) => a - b)).toEqual(order);
    expect(position(argv, '--tmpfs', '/w/hidden')).toBeGreaterThan(position(argv, '--ro-bind', '/w', '/w'));
  });

  test('let writable win over read-only', () => {
    expect(position(argv, '--bind', '/tmp/bundle')).toBeGreaterThan(position(argv, '--ro-bind', '/tmp/bundle'));
  });

  test('bound what is in memory, and close what has no bound', () => {
    for (const path of ['/tmp', '/dev/shm']) {
      expect(position(argv, '--size', '4096', '--tmpfs', path)).toBeGreaterThan(-1);
    }
    for (const path of ['/', '/dev']) {
      expect(position(argv, '--remount-ro', path)).toBeGreaterThan(position(argv, '--bind', '/w/candidate'));
    }
  });

  test('end with the folder to start in', () => {
    expect(argv.slice(-3)).toEqual(['--chdir', '/w/candidate', '--']);
  });
});
