import { dirname } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { baseEnvironment } from '../../src/process/index.ts';

afterEach(() => vi.unstubAllEnvs());

test('an environment is built by allow-list', () => {
  vi.stubEnv('PATH', './bin::/opt/tools/bin:relative:/usr/bin');
  vi.stubEnv('TZ', 'Asia/Tokyo');
  vi.stubEnv('GIT_DIR', '/secret');
  vi.stubEnv('API_KEY', 'k');
  expect(
    baseEnvironment({ home: '/h', tmp: '/t', pass: ['API_KEY', 'NOT_SET'], extra: { A: '1', LANG: 'fr' } }),
  ).toEqual({
    PATH: `${dirname(process.execPath)}:/opt/tools/bin:/usr/bin`,
    LANG: 'fr',
    TZ: 'Asia/Tokyo',
    HOME: '/h',
    TMPDIR: '/t',
    API_KEY: 'k',
    A: '1',
  });
});
