import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { 'clade/evaluator': new URL('./src/evaluator/kit/index.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/agents/**', 'test/long/**'], // `npm run test:agents`, `npm run test:long`
    globalSetup: ['test/support/global-setup.ts'],
    // Real processes, repositories and databases on two shared cores: generous, because a test that hangs is
    // ended by its own deadlines and never by this one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 3, // most of them wait for processes that they started
  },
});
