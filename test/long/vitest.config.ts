import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** `npm run test:long`: several processes that wait for one another's leases, kills by the dozen. CI has no time for them. */
export default defineConfig({
  ...shared,
  root: resolve(import.meta.dirname, '../..'),
  test: { ...shared.test, include: ['test/long/**/*.test.ts'], exclude: ['**/node_modules/**'] },
});
