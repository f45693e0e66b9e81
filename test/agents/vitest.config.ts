import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/**
 * The tests with real coding agents, which `npm run test:agents` installs: 800 MB that the other tests do without.
 * Without a lockfile, because the one that npm makes of opencode lacks its packages for other platforms; versions are pinned exactly.
 */
export default defineConfig({
  ...shared,
  root: resolve(import.meta.dirname, '../..'),
  test: { ...shared.test, include: ['test/agents/**/*.test.ts'], exclude: ['**/node_modules/**'] },
});
