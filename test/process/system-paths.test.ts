import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { contains, systemPaths } from '../../src/process/system-paths.ts';

test('folders of PATH are shown, but never the home or what holds it', () => {
  const paths = systemPaths(`/usr/bin:/opt:relative:/:${homedir()}:${dirname(homedir())}:/no/such/folder`, false);
  expect(
    paths.filter((path) => !/^\/(etc|usr|s?bin|lib\d*)\b/.test(path) && !contains(path, process.execPath)),
  ).toEqual(['/opt']);
  expect(paths.some((path) => contains(path, homedir()))).toBe(false);
});

test('the running Node is always there', () => {
  expect(systemPaths('', false).some((path) => contains(path, process.execPath))).toBe(true);
});

test('the resolver is only needed with a network', () => {
  expect(systemPaths('', false)).not.toContain('/etc/resolv.conf');
  expect(systemPaths('', true)).toContain('/etc/resolv.conf');
});

test.each([
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a', '/ab', false],
  ['/a/b', '/a', false],
  ['/a', '/a/..b', true],
])('%s holds %s: %s', (parent, path, expected) => expect(contains(parent, path)).toBe(expected));
